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
	sheet = "Sheet1" // the sheet's name in a new workbook
	// nameLength is the largest length of a sheet's name, in UTF-16 units.
	nameLength = 31
	// sheetRows is the largest number of rows below the header.
	sheetRows = excelize.TotalRows - 1
	// textWidth is the width of text columns, in characters.
	textWidth = 30
)

// xlsx writes a workbook with one sheet. Numbers have the fifteen digits that spreadsheets keep. Texts are
// always texts, whatever they begin with. An unset cell, NaN and the infinities are empty. Nothing is cut
// off: too many rows are an error, and so is a text that does not fit into a cell.
//
// More than 16 MiB of rows are kept in a temporary file until Close. If Close is not called, Discard removes
// the file.
type xlsx struct {
	file    *excelize.File
	rows    *excelize.StreamWriter
	sheet   string // the sheet's name
	columns []Column
	cells   []any // cells of the current row
	n       int   // rows written below the header
	err     error // the error that stopped the table
}

func newXLSX(w io.Writer, columns []Column, o Options) Writer {
	x := &xlsx{file: excelize.NewFile(), columns: columns, cells: make([]any, len(columns)), sheet: sheetName(o.Title)}
	// This writes straight to w. Without it, excelize would keep the whole workbook in memory.
	x.file.SetZipWriter(func(io.Writer) excelize.ZipWriter { return &archive{Writer: zip.NewWriter(w), progress: o.Progress} })
	x.err = x.start(o)
	return x
}

// start writes the part before the first row. The times in the file are constants of excelize, so that the
// same rows give the same bytes.
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

// noXML returns the first character of text that XML does not allow, or 0.
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

// utf16Len returns the length of text in UTF-16 units, in which Excel counts.
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
		x.err = x.file.Write(io.Discard) // goes to the zip writer set above, not to io.Discard
	}
	return errors.Join(x.err, x.file.Close())
}

func (x *xlsx) filter() error {
	last, err := excelize.CoordinatesToCellName(len(x.columns), x.n+1)
	if err != nil {
		return err
	}
	return x.file.AutoFilter(x.sheet, "A1:"+last, nil)
}

// sheetName turns a title into a valid name of a sheet. For an empty title it returns "Sheet1".
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
	if name = strings.Trim(name, "' "); name == "" || strings.EqualFold(name, "History") { // Excel reserves this name
		return sheet
	}
	return name
}

// archive is a zip writer that reports how much of the workbook is compressed.
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

// counted is a writer that tells progress how much is written.
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
