package portable

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"fstore/index"
)

// Reader reads the fragments of a file. Its errors are *index.InputError, or come from the underlying
// io.Reader.
type Reader struct {
	// Header is nil if the file is a list of fragments.
	Header *Header
	// Unread has the names of columns that are not read: score and weight of a table.
	Unread []string

	file string
	r    *bufio.Reader
	list fragmentReader // set if Header is nil
	line int
	read uint64
	row  Row
}

// NewReader reads the header and returns a reader of the rows. Errors name the file.
func NewReader(r io.Reader, file string) (*Reader, error) {
	x := &Reader{file: file, r: bufio.NewReaderSize(r, headerBytes)}
	const mark = "\ufeff"
	head, err := x.r.Peek(len(mark) + len(magic))
	switch {
	case len(head) == 0 && err == io.EOF:
		return nil, &index.InputError{File: file, Msg: "no fragments", Fatal: true}
	case err != nil && err != io.EOF:
		return nil, err
	case !strings.HasPrefix(strings.TrimPrefix(string(head), mark), magic):
		x.list, x.Unread, err = newList(x.r, file)
		return x, err
	}
	first, err := x.text()
	if err != nil {
		return nil, err
	}
	if v := strings.TrimPrefix(strings.TrimPrefix(first, mark), magic); v != version {
		return nil, x.bad("version %q of the format, and this program reads version %s", v, version)
	}
	x.Header = &Header{Settings: map[string]string{}}
	return x, x.header()
}

func (x *Reader) bad(format string, args ...any) error {
	return &index.InputError{File: x.file, Line: x.line, Msg: fmt.Sprintf(format, args...), Fatal: true}
}

// Bad returns an error about the line of the last row.
func (x *Reader) Bad(msg string) error { return x.bad("%s", msg) }

// text returns the next line without its line break, or io.EOF after the last line.
func (x *Reader) text() (string, error) {
	text, err := x.r.ReadString('\n')
	if err != nil && (err != io.EOF || text == "") {
		return "", err
	}
	x.line++
	if !utf8.ValidString(text) {
		return "", x.bad("invalid UTF-8: expected UTF-8 text")
	}
	return strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r"), nil
}

// header reads the header, including the line with the names of the columns.
func (x *Reader) header() error {
	seen := map[string]bool{}
	for {
		text, err := x.text()
		if err == io.EOF {
			return x.bad("the header ends early")
		}
		if err != nil {
			return err
		}
		fields := strings.Split(text, "\t")
		if fields[0] == "fragment" {
			if len(fields) < 3 || fields[1] != "score" || fields[2] != "weight" {
				return x.bad("expected the columns fragment, score, weight and statistics")
			}
			x.Header.Columns = fields[3:]
			if slices.Contains(x.Header.Columns, "") {
				return x.bad("a column without a name")
			}
			break
		}
		if err := x.field(fields); err != nil {
			return err
		}
		seen[fields[0]] = true
	}
	for _, name := range []string{"space", "by", "vocabulary", "fragments"} {
		if !seen[name] {
			return x.bad("the header has no %s", name)
		}
	}
	return nil
}

// field reads one line of the header into a field of Header.
func (x *Reader) field(fields []string) (err error) {
	h, name := x.Header, fields[0]
	if name == "setting" && len(fields) == 3 {
		var value string
		if json.Unmarshal([]byte(fields[2]), &value) != nil {
			return x.bad("setting %s: expected a JSON string", fields[1])
		}
		h.Settings[fields[1]] = value
		return nil
	}
	if len(fields) != 2 {
		return x.bad("expected a name, a tab and a value")
	}
	value := fields[1]
	switch name {
	case "space":
		h.Space = value
	case "by":
		h.By = value
	case "vocabulary":
		h.Vocabulary, err = strconv.ParseUint(value, 16, 64)
	case "fragments":
		h.Fragments, err = strconv.ParseUint(value, 10, 32)
	default:
		err = errors.New("unknown")
	}
	if err != nil {
		return x.bad("%s %q: not what a header has", name, value)
	}
	return nil
}

// Next returns the next row, or io.EOF after the last row. The row is valid until the next call.
func (x *Reader) Next() (*Row, error) {
	if x.Header == nil {
		fragment, line, err := x.list()
		if err != nil {
			return nil, err
		}
		x.line = line
		if !utf8.ValidString(fragment) {
			return nil, x.bad("%q is no UTF-8", fragment)
		}
		x.row = Row{Line: line, Fragment: fragment}
		return &x.row, nil
	}
	text, err := x.text()
	if err == io.EOF && x.read != x.Header.Fragments {
		return nil, &index.InputError{File: x.file, Fatal: true, Msg: fmt.Sprintf("the file ends after %d of %d fragments", x.read, x.Header.Fragments)}
	}
	if err != nil {
		return nil, err
	}
	x.read++
	x.row.Line = x.line
	return &x.row, x.fill(text)
}

// fill reads the fields of a selection's row.
func (x *Reader) fill(text string) error {
	fields := strings.Split(text, "\t")
	if x.read > x.Header.Fragments {
		return x.bad("more than the %d fragments of the header", x.Header.Fragments)
	}
	if want := 3 + len(x.Header.Columns); len(fields) != want {
		return x.bad("%d fields where %d are expected", len(fields), want)
	}
	x.row.Fragment, x.row.Stats = fields[0], x.row.Stats[:0]
	for i, text := range fields[1:] {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return x.bad("%q is no number", text)
		}
		switch i {
		case 0:
			x.row.Score = v
		case 1:
			x.row.Weight = v
		default:
			x.row.Stats = append(x.row.Stats, v)
		}
	}
	return nil
}
