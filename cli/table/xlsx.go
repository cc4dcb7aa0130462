package table

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"fstore/index"
)

const (
	sheet = "Sheet1" // as a new workbook has it
	// nameLength is how long the name of a sheet may be, in UTF-16.
	nameLength = 31
	// sheetRows are the rows of a sheet under its header.
	sheetRows = excelize.TotalRows - 1
	// textWidth is how wide columns of text are, in characters.
	textWidth = 30
)

// xlsx writes a workbook of one sheet, its header frozen, with a filter on each column:
// numbers as numbers (to the
// fifteen digits that spreadsheets keep), text as text whatever it begins with, an unset
// cell and what a sheet has no number for (NaN, infinities) empty. Bytes that XML cannot
// say become U+FFFD. What a sheet cannot hold is an error, never cut.
//
// The rows lie, beyond 16 MiB, in a file of the system's temporary directory until
// Close writes the workbook; Discard removes it where that does not come.
type xlsx struct {
	file    *excelize.File
	rows    *excelize.StreamWriter
	sheet   string // its name
	columns []Column
	cells   []any // of the row under way
	n       int   // rows under the header
	err     error // that stopped it
}

func newXLSX(w io.Writer, columns []Column, o Options) Writer {
	x := &xlsx{file: excelize.NewFile(), columns: columns, cells: make([]any, len(columns)), sheet: sheetName(o.Title)}
	// Straight to w: excelize would gather the workbook in memory.
	x.file.SetZipWriter(func(io.Writer) excelize.ZipWriter { return &archive{Writer: zip.NewWriter(w), progress: o.Progress} })
	x.err = x.start(o)
	return x
}

// start writes what stands before the first row. The times in the file's properties
// are constants of excelize, so that the same rows are the same bytes.
func (x *xlsx) start(o Options) (err error) {
	if n := len(x.columns); n > excelize.MaxColumns {
		return fmt.Errorf("xlsx: %d columns, and a sheet holds %d: write tsv or csv", n, excelize.MaxColumns)
	}
	if o.Caption != "" {
		if err := x.file.SetDocProps(&excelize.DocProperties{Description: o.Caption}); err != nil {
			return err
		}
	}
	if err := x.file.SetSheetName(sheet, x.sheet); err != nil {
		return err
	}
	if x.rows, err = x.file.NewStreamWriter(x.sheet); err != nil {
		return err
	}
	for i, c := range x.columns {
		x.cells[i] = c.Name
		if c.Kind == Text {
			if err := x.rows.SetColWidth(i+1, i+1, textWidth); err != nil {
				return err
			}
		}
	}
	frozen := &excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}
	if err := x.rows.SetPanes(frozen); err != nil {
		return err
	}
	return x.rows.SetRow("A1", x.cells)
}

func (x *xlsx) Write(r *Row) error {
	if x.err != nil {
		return x.err
	}
	if x.n == sheetRows {
		x.err = fmt.Errorf("xlsx: more than %d rows, which is what a sheet holds: write tsv or csv, or fewer rows", sheetRows)
		return x.err
	}
	x.n++
	for i, c := range r.cells {
		switch {
		case !c.set, c.kind == Float && !finite(math.Float64frombits(c.bits)):
			x.cells[i] = nil
		case c.kind == Uint:
			x.cells[i] = c.bits
		case c.kind == Int:
			x.cells[i] = int64(c.bits)
		case c.kind == Float:
			x.cells[i] = math.Float64frombits(c.bits)
		default:
			text := r.Text(i)
			if n := utf16Len(text); n > excelize.TotalCellChars {
				x.err = fmt.Errorf("xlsx: row %d: %s has %d characters, and a cell holds %d: write tsv or csv",
					x.n, x.columns[i].Name, n, excelize.TotalCellChars)
				return x.err
			}
			if r := noXML(text); r != 0 {
				x.err = fmt.Errorf("xlsx: row %d: %s has the character %U, which a cell cannot hold: write tsv or csv", x.n, x.columns[i].Name, r)
				return x.err
			}
			x.cells[i] = text
		}
	}
	x.err = x.rows.SetRow(fmt.Sprintf("A%d", x.n+1), x.cells)
	return x.err
}

// noXML returns the first character of text that XML has no place for, 0 where there is none.
func noXML(text []byte) rune {
	for len(text) > 0 {
		r, k := utf8.DecodeRune(text)
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
			return r
		}
		text = text[k:]
	}
	return 0
}

// utf16Len is the length of text in the units that cells are measured in.
func utf16Len(text []byte) (n int) {
	for len(text) > 0 {
		r, k := utf8.DecodeRune(text)
		n += utf16.RuneLen(r)
		text = text[k:]
	}
	return n
}

func (x *xlsx) Close() error {
	if x.err == nil {
		x.err = x.filter()
	}
	if x.err == nil {
		x.err = x.rows.Flush()
	}
	if x.err == nil {
		x.err = x.file.Write(io.Discard) // in truth to the zip writer that is set
	}
	return errors.Join(x.err, x.file.Close())
}

// filter puts a filter on each column.
func (x *xlsx) filter() error {
	last, err := excelize.CoordinatesToCellName(len(x.columns), x.n+1)
	if err != nil {
		return err
	}
	return x.file.AutoFilter(x.sheet, "A1:"+last, nil)
}

// sheetName makes a name that a sheet may have of a title, "Sheet1" of none.
func sheetName(title string) string {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`:\/?*[]`, r) || unicode.IsControl(r) {
			return '-'
		}
		return r
	}, strings.ToValidUTF8(title, "\uFFFD"))
	length := 0
	for i, r := range name {
		if length += utf16.RuneLen(r); length > nameLength {
			name = name[:i]
			break
		}
	}
	if name = strings.Trim(name, "' "); name == "" || strings.EqualFold(name, "History") { // a name that Excel keeps for itself
		return sheet
	}
	return name
}

// archive tells how much of a workbook is compressed.
type archive struct {
	*zip.Writer
	progress index.Progress
	begun    bool
}

func (a *archive) Create(name string) (io.Writer, error) {
	w, err := a.Writer.Create(name)
	if err != nil || a.progress == nil {
		return w, err
	}
	if !a.begun {
		a.begun = true
		a.progress.Step("compress", "bytes", 0)
	}
	return &counted{w, a.progress}, nil
}

// counted tells how much is written.
type counted struct {
	w        io.Writer
	progress index.Progress
}

func (c *counted) Write(p []byte) (n int, err error) {
	n, err = c.w.Write(p)
	c.progress.Add(int64(n))
	return n, err
}

func (x *xlsx) Discard() { _ = x.file.Close() }
