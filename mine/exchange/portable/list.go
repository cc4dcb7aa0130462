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

// column is the name of the column of fragments in the tables that fstore prints.
const column = "fragment"

// headerBytes is how many bytes of a file are searched for a header.
const headerBytes = 64 << 10

// spreadsheet is the beginning of an xlsx file, which is a zip archive.
const spreadsheet = "PK\x03\x04"

// IsSpreadsheet says whether a file is a spreadsheet. The first bytes of the file are in head.
func IsSpreadsheet(head []byte) bool { return bytes.HasPrefix(head, []byte(spreadsheet)) }

// fragmentReader returns the next fragment of a list, and the number of its line. After the last fragment,
// the error is io.EOF.
type fragmentReader func() (fragment string, line int, err error)

// unreadOf returns those columns of a table that look like a selection's statistics but are not read.
func unreadOf(header []string) (unread []string) {
	for _, name := range header {
		if name == "score" || name == "weight" {
			unread = append(unread, name)
		}
	}
	return unread
}

// newList returns a reader for the fragments of a file, and the names of columns that are not read.
func newList(r *bufio.Reader, file string) (l fragmentReader, unread []string, err error) {
	head, err := r.Peek(headerBytes)
	if err != nil && err != io.EOF {
		return nil, nil, err
	}
	if IsSpreadsheet(head) {
		return newSheet(r, file)
	}
	at := 0 // where the text begins: after a byte order mark and captions
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
	for _, separator := range "\t," { // tab first, because commas in a table of one column then need no quotes
		if record, err := csvReader(bytes.NewReader(head[at:]), separator).Read(); err == nil && slices.Contains(record, column) {
			_, err := r.Discard(at)
			return table(csvReader(r, separator), file, lines), unreadOf(record), err
		}
	}
	first, _, _ := bytes.Cut(head[at:], []byte("\n"))
	if _, ok := objectFragment(first); ok {
		var object map[string]any
		_ = json.Unmarshal(first, &object)
		_, err := r.Discard(at)
		return objects(bare(r, lines), file), unreadOf(slices.Sorted(maps.Keys(object))), err
	}
	if bytes.HasPrefix(first, []byte(column+" ")) {
		return nil, nil, &index.InputError{File: file, Line: lines + 1, Fatal: true, Msg: "a table for the eye: print it with --format tsv, csv, jsonl or xlsx to import it"}
	}
	if at == len("\ufeff") {
		if _, err := r.Discard(at); err != nil {
			return nil, nil, err
		}
	}
	return bare(r, 0), nil, nil
}

// bare reads a list with one fragment a line. The text before r has `line` lines.
func bare(r *bufio.Reader, line int) fragmentReader {
	return func() (string, int, error) {
		for {
			text, err := r.ReadString('\n')
			if err != nil && (err != io.EOF || text == "") {
				return "", line, err
			}
			line++
			if strings.TrimSpace(text) != "" {
				return strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r"), line, nil
			}
		}
	}
}

// objects returns a reader of the fragments in lines. Each line has a JSON object with one fragment.
func objects(lines fragmentReader, file string) fragmentReader {
	return func() (string, int, error) {
		text, line, err := lines()
		if err != nil {
			return "", line, err
		}
		fragment, ok := objectFragment([]byte(text))
		if err = index.CheckJSON([]byte(text)); err == nil && !ok {
			err = errors.New("expected a JSON object whose fragment is a text")
		}
		if err != nil {
			err = &index.InputError{File: file, Line: line, Fatal: true, Msg: err.Error()}
		}
		return fragment, line, err
	}
}

// objectFragment returns the fragment of a JSON object, and whether there is one.
func objectFragment(text []byte) (fragment string, ok bool) {
	var object struct{ Fragment *string }
	if err := json.Unmarshal(text, &object); err != nil || object.Fragment == nil {
		return "", false
	}
	return *object.Fragment, true
}

func csvReader(r io.Reader, separator rune) *csv.Reader {
	c := csv.NewReader(r)
	c.Comma, c.ReuseRecord = separator, true
	return c
}

// table lists the fragments of a TSV or CSV table. Its line numbers count the lines before the table too.
func table(r *csv.Reader, file string, before int) fragmentReader {
	read := func() ([]string, error) {
		record, err := r.Read()
		var wrong *csv.ParseError
		if errors.As(err, &wrong) {
			err = &index.InputError{File: file, Line: before + wrong.Line, Fatal: true, Msg: wrong.Err.Error()}
		}
		return record, err
	}
	at := -1 // the place of the column of fragments, or -1 before the header is read
	return func() (string, int, error) {
		if at < 0 {
			header, err := read()
			if err != nil {
				return "", 0, err
			}
			at = slices.Index(header, column)
		}
		record, err := read()
		if err != nil {
			return "", 0, err
		}
		line, _ := r.FieldPos(at)
		return record[at], before + line, nil
	}
}

// newSheet lists the fragments of the first sheet with a column named "fragment".
func newSheet(r io.Reader, file string) (l fragmentReader, unread []string, err error) {
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
			return sheet(book, rows, file, i), unreadOf(header), nil
		}
		_ = rows.Close()
	}
	_ = book.Close()
	return nil, nil, &index.InputError{File: file, Fatal: true, Msg: "a spreadsheet in which no sheet has a column fragment"}
}

// sheet lists the cells of one column, from the second row on.
func sheet(book *excelize.File, rows *excelize.Rows, file string, column int) fragmentReader {
	line := 1
	return func() (string, int, error) {
		for rows.Next() {
			line++
			cells, err := rows.Columns()
			if err != nil {
				return "", line, &index.InputError{File: file, Line: line, Fatal: true, Msg: err.Error()}
			}
			if len(cells) > column && strings.TrimSpace(cells[column]) != "" {
				return cells[column], line, nil
			}
		}
		if err := errors.Join(rows.Error(), rows.Close(), book.Close()); err != nil {
			return "", line, &index.InputError{File: file, Fatal: true, Msg: err.Error()}
		}
		return "", line, io.EOF
	}
}
