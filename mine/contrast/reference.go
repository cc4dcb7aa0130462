package contrast

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"unicode/utf8"

	"fstore/index"
	"fstore/mine/query"
)

// ReadReference reads a list of frequencies: each line has a fragment, a tab and the fragment's frequency. A
// header can name the columns "fragment" and "frequency" (or the counted unit). Captions above the header
// begin with "# ". So the list can be a table that the command `query` prints.
//
// ReadReference leaves out fragments with a symbol that no sample has, and returns their number. A wrong
// line, or a fragment that comes twice, gives an *index.InputError, which names the file. The caller sets
// ref.Size.
func ReadReference(t *query.Table, in io.Reader, file string, count Unit) (ref *Reference, absent int, err error) {
	o, err := (Options{Count: count, A: "A", B: "B"}).withDefaults(t)
	if err != nil {
		return nil, 0, err
	}
	r := bufio.NewReader(in)
	above, err := passCaptions(r)
	if err != nil {
		return nil, 0, err
	}
	x := &referenceReader{t: t, unit: string(o.Count), frequency: 1, ref: &Reference{Name: file, Of: map[string]uint64{}}}
	table := csv.NewReader(r)
	table.Comma, table.ReuseRecord, table.FieldsPerRecord = '\t', true, -1
	for x.first = true; ; x.first = false {
		record, err := table.Read()
		if err == io.EOF {
			break
		}
		line := 0
		var wrong *csv.ParseError
		switch {
		case errors.As(err, &wrong):
			line, err = wrong.Line, fmt.Errorf("%w: %s", wrong.Err, expectedFrequency)
		case err != nil:
			return nil, 0, err
		default:
			line, _ = table.FieldPos(0)
			err = x.addRecord(record)
		}
		if err != nil {
			return nil, 0, &index.InputError{File: file, Line: above + line, Msg: err.Error()}
		}
	}
	if len(x.ref.Of)+x.absent == 0 {
		return nil, 0, &index.InputError{File: file, Msg: "no frequencies: " + expectedFrequency}
	}
	return x.ref, x.absent, nil
}

const expectedFrequency = "expected lines of a fragment, a tab and its frequency"

// referenceReader adds the records of a list to a Reference.
type referenceReader struct {
	t                   *query.Table
	unit                string
	first               bool // whether the next record is the first record
	fragment, frequency int  // the indexes of the two columns
	ref                 *Reference
	absent              int
}

// addRecord adds a record to x.ref, or reads the header. The error says what is wrong with the record.
func (x *referenceReader) addRecord(record []string) error {
	if x.first && slices.Contains(record, "fragment") {
		x.fragment = slices.Index(record, "fragment")
		x.frequency = slices.IndexFunc(record, func(name string) bool { return name == "frequency" || name == x.unit })
		if x.frequency < 0 {
			how := ""
			if x.unit == string(Places) {
				how = ": query prints it with --columns places"
			}
			return fmt.Errorf("a header without a column frequency or %s%s", x.unit, how)
		}
		return nil
	}
	if len(record) <= max(x.fragment, x.frequency) {
		return errors.New(expectedFrequency)
	}
	text := record[x.fragment]
	if !utf8.ValidString(text) {
		return fmt.Errorf("%q is no UTF-8", text)
	}
	n, err := strconv.ParseUint(record[x.frequency], 10, 64)
	if err != nil {
		return fmt.Errorf("%q where a frequency is expected", record[x.frequency])
	}
	c, err := x.t.Space.ParseText(text, x.t.Symbols())
	switch {
	case errors.Is(err, index.ErrAbsent):
		x.absent++
		return nil
	case err != nil:
		return fmt.Errorf("fragment %q: %w", text, err)
	}
	if _, twice := x.ref.Of[string(c)]; twice {
		return fmt.Errorf("%s stands twice", text)
	}
	x.ref.Of[string(c)] = n
	return nil
}

// passCaptions skips a byte order mark and captions, and returns the number of skipped lines.
func passCaptions(r *bufio.Reader) (lines int, err error) {
	if head, _ := r.Peek(3); bytes.Equal(head, []byte("\ufeff")) {
		_, _ = r.Discard(3)
	}
	for {
		if head, _ := r.Peek(2); string(head) != "# " {
			return lines, nil
		}
		if _, err := r.ReadBytes('\n'); err != nil && err != io.EOF {
			return lines, err
		}
		lines++
	}
}
