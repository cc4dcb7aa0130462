package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// sheetOf runs a command line that writes a spreadsheet, and returns the name of its sheet
// and the header.
func sheetOf(t *testing.T, file string, args ...string) (sheet string, header []string) {
	t.Helper()
	run(t, append(args, "-q", "-o", file)...)
	f, err := excelize.OpenFile(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sheet = f.GetSheetName(0)
	rows, err := f.GetRows(sheet)
	if err != nil {
		t.Fatal(err)
	}
	if panes, err := f.GetPanes(sheet); err != nil || !panes.Freeze || panes.YSplit != 1 {
		t.Errorf("%s: the header is not frozen: %+v, %v", sheet, panes, err)
	}
	last, err := excelize.CoordinatesToCellName(len(rows[0]), len(rows), true)
	if err != nil {
		t.Fatal(err)
	}
	if names := f.GetDefinedName(); len(names) != 1 || !strings.HasSuffix(names[0].RefersTo, "!$A$1:"+last) {
		t.Errorf("%s: no filter over all rows, up to %s: %+v", sheet, last, names)
	}
	if width, err := f.GetColWidth(sheet, "A"); err != nil || width < 20 {
		t.Errorf("%s: the first column is %v wide, %v", sheet, width, err)
	}
	return sheet, rows[0]
}

// run runs a command line that must succeed.
func run(t *testing.T, args ...string) {
	t.Helper()
	var out, errs bytes.Buffer
	if code := Main(args, strings.NewReader(""), &out, &errs); code != 0 {
		t.Fatalf("fstore %s: exit code %d\n%s", strings.Join(args, " "), code, errs.String())
	}
}

// The name of a sheet has the store and the kind of list in it. The sheet has a filter on each column and a
// frozen header.
func TestSpreadsheets(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	const trees = "(S (NP (DT the) (NN cat)) (VP (VBD sat)))\n(S (NP (DT the) (NN dog)) (VP (VBD sat)))\n(S (NP (DT a) (NN dog)) (VP (VBD ran)))\n"
	for name, text := range map[string]string{"two.mrg": trees, "names.tsv": "two.mrg#1\tx\ntwo.mrg#2\ty\ntwo.mrg#3\ta/b\n"} {
		if err := os.WriteFile(path(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := path("wake.store")
	run(t, "build", s, path("two.mrg"), "--labels-file", path("names.tsv"), "-q")
	run(t, "mine", s, "--name", "strong", "--by", "support", "-q")
	for _, c := range []struct {
		want string
		args []string
	}{
		{"wake fragments", []string{"query", s, "--limit", "0"}},
		{"wake fragments", []string{"query", s, "(NP (DT _) ...)"}},
		{"wake strong", []string{"query", s, "--selection", "strong"}},
		{"wake x, y", []string{"contrast", s, "x", "y"}},
		{"wake a-b, rest", []string{"contrast", s, "a/b"}},
		{"wake examples", []string{"examples", s, "(NN dog)"}},
	} {
		if sheet, header := sheetOf(t, path("all.xlsx"), c.args...); sheet != c.want || len(header) < 3 {
			t.Errorf("%v: sheet %q of %v, want %q", c.args[1:], sheet, header, c.want)
		}
	}
}

// A long list shows progress while it is written and while its spreadsheet is compressed. The log has a line
// for each of these stages.
func TestSpreadsheetProgress(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	var trees strings.Builder
	for i := range 3000 {
		trees.WriteString("(S (NP (DT the) (NN n" + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + ")) (VP (VBD sat)))\n")
	}
	if err := os.WriteFile(path("t.mrg"), []byte(trees.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, "build", path("s"), path("t.mrg"), "--min-support", "1", "-q")
	run(t, "query", path("s"), "--limit", "0", "-o", path("all.xlsx"), "-q", "--log-file", path("log"))
	log, err := os.ReadFile(path("log"))
	if err != nil {
		t.Fatal(err)
	}
	read, write, compress := bytes.Index(log, []byte("read: ")), bytes.Index(log, []byte("write: ")), bytes.Index(log, []byte("compress: "))
	if read < 0 || write < read || compress < write {
		t.Errorf("no stages read, write and compress:\n%s", log)
	}
}
