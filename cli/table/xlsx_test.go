package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// TestXLSX reads a sheet back as a spreadsheet program does. Numbers must be numbers, and texts must be
// texts, even if they begin with a special character.
func TestXLSX(t *testing.T) {
	rows := oddRows()
	rows[7].SetString(0, "é") // and no control characters
	formula := NewRow(4)
	formula.SetString(0, "=1+1 _x0041_ <&>")
	rows = append(rows, formula)
	out := render(t, "xlsx", Options{Caption: "a caption"}, sampleColumns, rows...)
	f, err := excelize.OpenReader(strings.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for cell, want := range map[string]string{
		"A1": "fragment", "D1": "chi2",
		"A2": "(NP (DT the) (NN))", "B2": "1204", "C2": "-3", "D2": "10.5",
		"A3": `say "hi"`, "D3": "0.300000000000000",
		"A4": "a\tb", "A6": "line\nbreak\r", "D6": "", "A7": "", "D7": "",
		"A8": "日本語", "A9": "é",
		"A10": "", "B10": "", "A11": "=1+1 _x0041_ <&>",
	} {
		got, err := f.GetCellValue(sheet, cell, excelize.Options{RawCellValue: true})
		if err != nil || got != want {
			t.Errorf("%s: %q, want %q, %v", cell, got, want, err)
		}
		kind, err := f.GetCellType(sheet, cell)
		number := cell[0] != 'A' && cell[1:] != "1"
		if err != nil || want != "" && number == (kind == excelize.CellTypeInlineString) {
			t.Errorf("%s: type %v, %v", cell, kind, err)
		}
		if formula, err := f.GetCellFormula(sheet, cell); formula != "" || err != nil {
			t.Errorf("%s: formula %q, %v", cell, formula, err)
		}
	}
	if panes, err := f.GetPanes(sheet); err != nil || !panes.Freeze || panes.YSplit != 1 {
		t.Errorf("header: %+v, %v", panes, err)
	}
	if p, err := f.GetDocProps(); err != nil || p.Description != "a caption" {
		t.Errorf("%+v, %v", p, err)
	}
	if again := render(t, "xlsx", Options{Caption: "a caption"}, sampleColumns, rows...); again != out {
		t.Error("the same rows are other bytes")
	}
}

// If a cell does not fit into a sheet, the table has an error that says so. The rows after the cell do not
// matter.
func TestXLSXErrors(t *testing.T) {
	w := newXLSX(io.Discard, sampleColumns, Options{}).(*xlsx)
	row := NewRow(4)
	row.SetString(0, strings.Repeat("x", excelize.TotalCellChars))
	if err := w.Write(row); err != nil {
		t.Error(err)
	}
	w.n = sheetRows
	if err := w.Write(row); err == nil || !strings.Contains(err.Error(), "more than 1048575 rows") || w.Close() == nil {
		t.Error(err)
	}
	long := NewRow(4)
	long.SetString(0, strings.Repeat("日", excelize.TotalCellChars+1))
	w = newXLSX(io.Discard, sampleColumns, Options{}).(*xlsx)
	if err := w.Write(long); err == nil || !strings.Contains(err.Error(), "fragment has 32768 characters") || w.Close() == nil {
		t.Error(err)
	}
	for _, text := range []string{"a\x01b", "\x1b", "\ufffe", "x\uffff"} {
		none := NewRow(4)
		none.SetString(0, text)
		w = newXLSX(io.Discard, sampleColumns, Options{}).(*xlsx)
		if err := w.Write(none); err == nil || !strings.Contains(err.Error(), "fragment has the character U+") || w.Close() == nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := newXLSX(io.Discard, make([]Column, excelize.MaxColumns+1), Options{}).Write(row); err == nil {
		t.Error("too many columns")
	}
	w = newXLSX(&failing{100}, sampleColumns, Options{}).(*xlsx)
	if err := w.Write(row); err != nil {
		t.Error(err)
	}
	if err := w.Close(); err == nil {
		t.Error("a writer that fails")
	}
}

// No file stays in the temporary directory after a large table is closed or discarded.
func TestXLSXTemporaryFiles(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	for _, discard := range []bool{true, false} {
		var b bytes.Buffer
		w := newXLSX(&b, sampleColumns, Options{})
		row := NewRow(4)
		row.SetString(0, strings.Repeat("y", 20_000))
		for range 1000 {
			if err := w.Write(row); err != nil {
				t.Fatal(err)
			}
		}
		if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		if !discard {
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			f, err := excelize.OpenReader(&b)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := f.GetCellValue(sheet, fmt.Sprint("A", 1001)); len(got) != 20_000 || err != nil {
				t.Error(len(got), err)
			}
			f.Close()
		}
		Discard(w)
		if files, err := os.ReadDir(dir); err != nil || len(files) != 0 {
			t.Error(files, err)
		}
	}
}

// The sheet has the title as its name, changed only where names of sheets do not allow it. Each column has a
// filter over all rows.
func TestXLSXSheet(t *testing.T) {
	for title, want := range map[string]string{
		"":                                 "Sheet1",
		"wake fragments":                   "wake fragments",
		"a:b/c [news]":                     "a-b-c -news-",
		"'x'":                              "x",
		"history":                          "Sheet1",
		"bad \xff\n":                       "bad \uFFFD-",
		"1234567890 1234567890 1234567890": "1234567890 1234567890 123456789",
		"𝔄𝔄𝔄𝔄𝔄𝔄𝔄𝔄𝔄𝔄𝔄𝔄𝔄𝔄𝔄𝔄": "𝔄𝔄𝔄𝔄𝔄𝔄𝔄𝔄𝔄𝔄𝔄𝔄𝔄𝔄𝔄",
	} {
		for rows := range 3 {
			var b bytes.Buffer
			w := New("xlsx", &b, []Column{{Name: "fragment"}, {Name: "order", Kind: Uint}}, Options{Title: title})
			r := NewRow(2)
			r.SetString(0, "(A)")
			var err error
			for range rows {
				err = errors.Join(err, w.Write(r))
			}
			if err = errors.Join(err, w.Close()); err != nil {
				t.Fatal(err)
			}
			f, err := excelize.OpenReader(&b)
			if err != nil {
				t.Fatal(err)
			}
			if got := f.GetSheetList(); len(got) != 1 || got[0] != want {
				t.Errorf("%q: %q, want %q", title, got, want)
			}
			names := f.GetDefinedName()
			if last := fmt.Sprintf("!$A$1:$B$%d", rows+1); len(names) != 1 || !strings.HasSuffix(names[0].RefersTo, last) {
				t.Errorf("%q: %+v, want %s", title, names, last)
			}
			f.Close()
		}
	}
}
