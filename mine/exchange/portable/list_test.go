package portable

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"fstore/index"
)

// workbook returns a spreadsheet with the given rows in its second sheet.
func workbook(t *testing.T, rows ...[]any) string {
	t.Helper()
	book := excelize.NewFile()
	defer book.Close()
	if _, err := book.NewSheet("list"); err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		cell, err := excelize.CoordinatesToCellName(1, i+1)
		if err == nil {
			err = book.SetSheetRow("list", cell, &row)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := book.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The header of a table says where its fragments are. Each fragment is read with its line.
func TestTables(t *testing.T) {
	sheet := workbook(t, []any{"order", "fragment"}, []any{1, `(NN "a, b")`}, []any{}, []any{2, "(NN c)"})
	for _, c := range []struct{ name, text, want string }{
		{"tsv", "fragment\torder\n\"(NN \"\"a, b\"\")\"\t1\n(NN c)\t2\n", `2 (NN "a, b"); 3 (NN c); `},
		{"another column", "order\tfragment\r\n1\t(NN a)\r\n\r\n2\t(NN c)", "2 (NN a); 4 (NN c); "},
		{"csv", "fragment,order\n\"(NN \"\"a, b\"\")\",1\n(NN c),2\n", `2 (NN "a, b"); 3 (NN c); `},
		{"a mark and captions", "\ufeff# A news, B rest\n# x\nfragment\torder\n(NN c)\t2\n", "4 (NN c); "},
		{"one column", "fragment\n\"(NN \"\"a, b\"\")\"\n(NN c,d)\n", `2 (NN "a, b"); 3 (NN c,d); `},
		{"one column, quoted", "\"fragment\"\r\n\"(NN c)\"\r\n", "2 (NN c); "},
		{"a line break in a name", "fragment,\"support:a\nb\"\n(NN c),2\n", "3 (NN c); "},
		{"jsonl", "{\"fragment\":\"(NN \\\"a\\\")\",\"order\":1}\n\n{\"order\":1,\"fragment\":\"(NN c)\"}\n", `1 (NN "a"); 3 (NN c); `},
		{"xlsx", sheet, `2 (NN "a, b"); 4 (NN c); `},
		{"bare", "(NN a)\n{A & B}\n\n(NN fragment,x)\n", "1 (NN a); 2 {A & B}; 4 (NN fragment,x); "},
		{"bare, with a mark", "\ufeff\" <punct a\n", "1 \" <punct a; "},
		{"bare, braces", "{A & B}\n", "1 {A & B}; "},
		{"bare, a hash", "# a\n", "1 # a; "},
	} {
		h, rows, err := readAll(strings.NewReader(c.text))
		var got strings.Builder
		for _, r := range rows {
			fmt.Fprintf(&got, "%d %s; ", r.Line, r.Fragment)
		}
		if err != nil || h != nil || got.String() != c.want {
			t.Errorf("%s: %s, %v, want %s", c.name, got.String(), err, c.want)
		}
	}
}

// The error about a bad table names the line.
func TestBadTables(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"fragment\torder\n(NN a)\t1\n(NN b)\n", "f:3: wrong number of fields"},
		{"# x\nfragment,order\n\"(NN a,1\n", `f:3: extraneous or missing " in quoted-field`},
		{"{\"fragment\":\"(NN a)\"}\n{\"fragment\":1}\n", "f:2: expected a JSON object whose fragment is a text"},
		{"{\"fragment\":\"(NN a)\"}\n{}\n", "f:2: expected a JSON object"},
		{"fragment  order\n(NN a)        1\n", "f:1: a table for the eye: print it with --format tsv"},
		{"PK\x03\x04", "f: no spreadsheet: "},
		{workbook(t, []any{"a", "b"}), "f: a spreadsheet in which no sheet has a column fragment"},
	} {
		_, _, err := readAll(strings.NewReader(c.text))
		var bad *index.InputError
		if !errors.As(err, &bad) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%.40q: %v, want %s", c.text, err, c.want)
		}
	}
}
