package portable

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"fstore/index"
)

// column is the name of the column of fragments in tables that fstore prints.
const column = "fragment"

// headerBytes is how far a header is looked for.
const headerBytes = 64 << 10

// spreadsheet begins an xlsx file, which is a zip archive.
const spreadsheet = "PK\x03\x04"

// IsSpreadsheet says whether a file begins as one.
func IsSpreadsheet(head []byte) bool { return bytes.HasPrefix(head, []byte(spreadsheet)) }

// list yields the fragments of a file that is no selection, and the lines on which they
// stand; io.EOF after the last. Other errors are complete, or io errors.
type list interface {
	next() (fragment string, line int, err error)
}

// unreadOf returns those of a table's columns that a selection has too, and that are not read.
func unreadOf(header []string) (unread []string) {
	for _, name := range header {
		if name == "score" || name == "weight" {
			unread = append(unread, name)
		}
	}
	return unread
}

// newList finds out how fragments are listed: in a table, told by its header, or bare.
func newList(r *bufio.Reader, file string) (l list, unread []string, err error) {
	head, err := r.Peek(headerBytes)
	if err != nil && err != io.EOF {
		return nil, nil, err
	}
	if IsSpreadsheet(head) {
		return newSheet(r, file)
	}
	at := 0 // of what follows a mark of byte order and captions
	if bytes.HasPrefix(head, []byte("\ufeff")) {
		at = len("\ufeff")
	}
	lines := 0
	for bytes.HasPrefix(head[at:], []byte("# ")) {
		n := bytes.IndexByte(head[at:], '\n') + 1
		if n == 0 {
			break
		}
		at += n
		lines++
	}
	for _, separator := range "\t," { // of one column by tab: commas need no quotes
		if record, err := csvReader(bytes.NewReader(head[at:]), separator).Read(); err == nil && slices.Contains(record, column) {
			_, err := r.Discard(at)
			return &table{file: file, r: csvReader(r, separator), before: lines, column: -1}, unreadOf(record), err
		}
	}
	first, _, _ := bytes.Cut(head[at:], []byte("\n"))
	if _, ok := objectFragment(first); ok {
		var object map[string]any
		_ = json.Unmarshal(first, &object)
		_, err := r.Discard(at)
		return &objects{bare{r: r, line: lines}, file}, unreadOf(slices.Sorted(maps.Keys(object))), err
	}
	if bytes.HasPrefix(first, []byte(column+" ")) {
		return nil, nil, &index.InputError{File: file, Line: lines + 1, Fatal: true, Msg: "a table for the eye: print it with --format tsv, csv, jsonl or xlsx to import it"}
	}
	if at == len("\ufeff") {
		if _, err := r.Discard(at); err != nil {
			return nil, nil, err
		}
	}
	return &bare{r: r}, nil, nil
}

// bare is a fragment a line.
type bare struct {
	r    *bufio.Reader
	line int
}

func (b *bare) next() (string, int, error) {
	for {
		text, err := b.r.ReadString('\n')
		if err != nil && (err != io.EOF || text == "") {
			return "", b.line, err
		}
		b.line++
		if strings.TrimSpace(text) != "" {
			return strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r"), b.line, nil
		}
	}
}

// objects is a JSON object a line.
type objects struct {
	bare
	file string
}

func (o *objects) next() (string, int, error) {
	text, line, err := o.bare.next()
	if err != nil {
		return "", line, err
	}
	fragment, ok := objectFragment([]byte(text))
	if err = index.CheckJSON([]byte(text)); err == nil && !ok {
		err = errors.New("expected a JSON object whose fragment is a text")
	}
	if err != nil {
		err = &index.InputError{File: o.file, Line: line, Fatal: true, Msg: err.Error()}
	}
	return fragment, line, err
}

// objectFragment returns the fragment of a JSON object. ok says whether text is an object with one.
func objectFragment(text []byte) (fragment string, ok bool) {
	var object struct{ Fragment *string }
	if err := json.Unmarshal(text, &object); err != nil || object.Fragment == nil {
		return "", false
	}
	return *object.Fragment, true
}

// table is TSV or CSV.
type table struct {
	file   string
	r      *csv.Reader
	before int // lines above the header
	column int // -1 before the header is read
}

func csvReader(r io.Reader, separator rune) *csv.Reader {
	c := csv.NewReader(r)
	c.Comma, c.ReuseRecord = separator, true
	return c
}

func (t *table) next() (string, int, error) {
	if t.column < 0 {
		header, err := t.r.Read()
		if err != nil {
			return "", 0, t.bad(err)
		}
		t.column = slices.Index(header, column)
	}
	record, err := t.r.Read()
	if err != nil {
		return "", 0, t.bad(err)
	}
	line, _ := t.r.FieldPos(t.column)
	return record[t.column], t.before + line, nil
}

// bad names the line of what is no table.
func (t *table) bad(err error) error {
	var wrong *csv.ParseError
	if !errors.As(err, &wrong) {
		return err
	}
	return &index.InputError{File: t.file, Line: t.before + wrong.Line, Fatal: true, Msg: wrong.Err.Error()}
}

// sheet is the sheet of a workbook whose first row names its columns.
type sheet struct {
	file   string
	book   *excelize.File
	rows   *excelize.Rows
	column int
	line   int
}

func newSheet(r io.Reader, file string) (l list, unread []string, err error) {
	book, err := excelize.OpenReader(r)
	if err != nil {
		return nil, nil, &index.InputError{File: file, Fatal: true, Msg: "no spreadsheet: " + err.Error()}
	}
	for _, name := range book.GetSheetList() {
		rows, err := book.Rows(name)
		if err != nil || !rows.Next() {
			continue
		}
		header, err := rows.Columns()
		if i := slices.Index(header, column); err == nil && i >= 0 {
			return &sheet{file: file, book: book, rows: rows, column: i, line: 1}, unreadOf(header), nil
		}
		_ = rows.Close()
	}
	_ = book.Close()
	return nil, nil, &index.InputError{File: file, Fatal: true, Msg: "a spreadsheet in which no sheet has a column fragment"}
}

func (s *sheet) next() (string, int, error) {
	for s.rows.Next() {
		s.line++
		cells, err := s.rows.Columns()
		if err != nil {
			return "", s.line, &index.InputError{File: s.file, Line: s.line, Fatal: true, Msg: err.Error()}
		}
		if len(cells) > s.column && strings.TrimSpace(cells[s.column]) != "" {
			return cells[s.column], s.line, nil
		}
	}
	err := errors.Join(s.rows.Error(), s.rows.Close(), s.book.Close())
	if err != nil {
		return "", s.line, &index.InputError{File: s.file, Fatal: true, Msg: err.Error()}
	}
	return "", s.line, io.EOF
}
