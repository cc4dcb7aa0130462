package table

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"strings"
	"testing"
)

var sampleColumns = []Column{
	{Name: "fragment"}, {Name: "support", Kind: Uint}, {Name: "delta", Kind: Int}, {Name: "chi2", Kind: Float},
}

// oddRows returns rows with cells that simple printers print wrongly.
func oddRows() []*Row {
	var rows []*Row
	add := func(text string, n uint64, d int64, x float64) {
		r := NewRow(4)
		r.SetString(0, text)
		r.SetUint(1, n)
		r.SetInt(2, d)
		r.SetFloat(3, x)
		rows = append(rows, r)
	}
	add("(NP (DT the) (NN))", 1204, -3, 10.5)
	add(`say "hi"`, 0, 0, 0.30000000000000004)
	add("a\tb", 1, 1, 1e21)
	add("a,b", 12345678, -1234567, 1e-7)
	add("line\nbreak\r", math.MaxUint64, math.MinInt64, math.NaN())
	add("", 1, 1, math.Inf(1))
	add("日本語", 1, 1, 1e6)
	add("é\x1b[31m\x00", 1, 1, 1.5e-300)
	return append(rows, NewRow(4))
}

func render(t *testing.T, format string, o Options, columns []Column, rows ...*Row) string {
	t.Helper()
	var b bytes.Buffer
	w := New(format, &b, columns, o)
	for _, r := range rows {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func check(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got\n%s\nwant\n%s\n%q", got, want, got)
	}
}

func TestTSV(t *testing.T) {
	check(t, render(t, "tsv", Options{}, sampleColumns, oddRows()...), strings.Join([]string{
		"fragment\tsupport\tdelta\tchi2",
		"(NP (DT the) (NN))\t1204\t-3\t10.5",
		"\"say \"\"hi\"\"\"\t0\t0\t0.30000000000000004",
		"\"a\tb\"\t1\t1\t1e+21",
		"a,b\t12345678\t-1234567\t1e-07",
		"\"line\nbreak\r\"\t18446744073709551615\t-9223372036854775808\tNaN",
		"\t1\t1\t+Inf",
		"日本語\t1\t1\t1000000",
		"é\x1b[31m\x00\t1\t1\t1.5e-300",
		"\t\t\t", "",
	}, "\n"))
}

func TestCSVReadsBack(t *testing.T) {
	rows := oddRows()
	got, err := csv.NewReader(strings.NewReader(render(t, "csv", Options{}, sampleColumns, rows...))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(rows)+1 {
		t.Fatalf("%d records", len(got))
	}
	for i, r := range rows {
		// The reader of the standard library drops a \r before a line end.
		if want := string(r.Text(0)); got[i+1][0] != want {
			t.Errorf("row %d: %q, want %q", i, got[i+1][0], want)
		}
	}
	if got[4][0] != "a,b" || got[4][1] != "12345678" {
		t.Errorf("row 3: %q", got[4])
	}
}

func TestLoneEmptyField(t *testing.T) {
	one := []Column{{Name: "x"}}
	r := NewRow(1)
	r.SetString(0, "")
	check(t, render(t, "tsv", Options{}, one, r, NewRow(1)), "x\n\"\"\n\"\"\n")
	check(t, render(t, "csv", Options{}, one), "x\n")
}

func TestJSONL(t *testing.T) {
	out := render(t, "jsonl", Options{}, sampleColumns, oddRows()...)
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	check(t, lines[0], `{"fragment":"(NP (DT the) (NN))","support":1204,"delta":-3,"chi2":10.5}`)
	check(t, lines[4], `{"fragment":"line\nbreak\r","support":18446744073709551615,"delta":-9223372036854775808,"chi2":null}`)
	check(t, lines[7], `{"fragment":"é\u001b[31m\u0000","support":1,"delta":1,"chi2":1.5e-300}`)
	check(t, lines[8], `{"fragment":null,"support":null,"delta":null,"chi2":null}`)
	for _, line := range lines {
		if !json.Valid([]byte(line)) {
			t.Errorf("no JSON: %s", line)
		}
	}
	r := NewRow(1)
	r.SetText(0, []byte("caf\xe9 \xff\xfe日"))
	check(t, render(t, "jsonl", Options{}, []Column{{Name: `k"`}}, r), "{\"k\\\"\":\"caf\uFFFD \uFFFD\uFFFD日\"}\n")
	check(t, render(t, "jsonl", Options{}, sampleColumns), "")
}

func TestAligned(t *testing.T) {
	out := render(t, "table", Options{}, sampleColumns, oddRows()...)
	check(t, "\n"+strings.ReplaceAll(out, " \n", "|\n"), `
fragment                               support                       delta       chi2
(NP (DT the) (NN))                       1,204                          -3       10.5
say "hi"                                     0                           0        0.3
a\tb                                         1                           1      1e+21
a,b                                 12,345,678                  -1,234,567      1e-07
line\nbreak\r       18,446,744,073,709,551,615  -9,223,372,036,854,775,808        NaN
                                             1                           1       +Inf
日本語                                       1                           1  1,000,000
é\x1b[31m\x00                                1                           1   1.5e-300
                                                                                    |
`)
}

// TestAlignedWidths: every line takes the same number of terminal cells in any script.
func TestAlignedWidths(t *testing.T) {
	columns := []Column{{Name: "text"}, {Name: "n", Kind: Uint}}
	var rows []*Row
	for _, text := range []string{"plain", "日本語テキスト", "السلام عليكم", "e\u0301\u0308a", "한국어", "👩‍👩‍👧 family", "नमस्ते", "\u200bzero", "caf\xe9"} {
		r := NewRow(2)
		r.SetString(0, text)
		r.SetUint(1, 7)
		rows = append(rows, r)
	}
	lines := strings.Split(strings.TrimSpace(render(t, "table", Options{}, columns, rows...)), "\n")
	for _, line := range lines {
		if cells.StringWidth(line) != cells.StringWidth(lines[0]) {
			t.Errorf("%q is %d cells, the header %d", line, cells.StringWidth(line), cells.StringWidth(lines[0]))
		}
	}
}

func TestAlignedFitsTerminal(t *testing.T) {
	columns := []Column{{Name: "left", Right: true}, {Name: "match", Emphasis: true}, {Name: "right"}, {Name: "n", Kind: Uint}}
	r := NewRow(4)
	r.SetString(0, "it was the best of times and it was the worst of")
	r.SetString(1, "times")
	r.SetString(2, "日本語日本語日本語日本語日本語日本語日本語")
	r.SetUint(3, 1000000)
	check(t, "\n"+render(t, "table", Options{Width: 41}, columns, r), `
      left  match  right                n
… worst of  times  日本語日本…  1,000,000
`)
	for _, width := range []int{50, 60, 200} {
		for _, line := range strings.Split(render(t, "table", Options{Width: width}, columns, r), "\n") {
			if n := cells.StringWidth(line); n > width {
				t.Errorf("%q is %d cells of %d", line, n, width)
			}
		}
	}
	// If the terminal is too narrow for all columns, texts are shortened to eight cells, and numbers are not.
	out := render(t, "table", Options{Width: 10}, columns, r)
	if !strings.Contains(out, "1,000,000") || !strings.Contains(out, "…orst of  times  日本語…   1") {
		t.Error(out)
	}
	// Texts are not shortened if the output is no terminal.
	if out := render(t, "table", Options{}, columns, r); strings.Contains(out, ellipsis) {
		t.Error(out)
	}
}

// TestAlignedStreams: rows after the first sampleRows are written at once, and wide rows are not shortened.
func TestAlignedStreams(t *testing.T) {
	columns := []Column{{Name: "x"}, {Name: "n", Kind: Uint}}
	var b bytes.Buffer
	w := New("table", &b, columns, Options{})
	r := NewRow(2)
	for i := range 3 * sampleRows {
		r.Clear()
		r.SetString(0, strings.Repeat("x", 1+i/1500*9))
		r.SetUint(1, uint64(i))
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
		if i == sampleRows-2 && b.Len() != 0 {
			t.Error("printed before the widths were known")
		}
		if i == sampleRows-1 && b.Len() == 0 {
			t.Error("held back more than the sample")
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	check(t, lines[0]+"\n"+lines[1]+"\n"+lines[3000], "x    n\nx    0\nxxxxxxxxxx  2,999")
}

func TestRecord(t *testing.T) {
	columns := []Column{{Name: "samples", Kind: Uint}, {Name: "label"}, {Name: "none"}, {Name: "λ", Kind: Float}}
	r := NewRow(4)
	r.SetUint(0, 1204)
	r.SetString(1, "a\tb")
	r.SetFloat(3, 0.4)
	for format, want := range map[string]string{
		"table": "samples  1,204\nlabel    a\\tb\nnone\nλ        0.4\n",
		"tsv":   "samples\tlabel\tnone\tλ\n1204\t\"a\tb\"\t\t0.4\n",
		"csv":   "samples,label,none,λ\n1204,\"a\tb\",,0.4\n",
		"jsonl": `{"samples":1204,"label":"a\tb","none":null,"λ":0.4}` + "\n",
	} {
		var b bytes.Buffer
		if err := PrintRecord(format, &b, columns, r, Options{}); err != nil {
			t.Fatal(err)
		}
		check(t, b.String(), want)
	}
}

// failing is a writer that fails after n bytes.
type failing struct{ n int }

func (f *failing) Write(p []byte) (int, error) {
	if f.n -= len(p); f.n < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

func TestWriteErrors(t *testing.T) {
	r := NewRow(4)
	r.SetString(0, strings.Repeat("x", 1000))
	for _, f := range Formats {
		if f.Binary {
			continue // xlsx is written at the end, see TestXLSXErrors
		}
		w := f.New(&failing{100_000}, sampleColumns, Options{})
		var err error
		n := 0
		for ; err == nil && n < 10_000; n++ {
			err = w.Write(r)
		}
		if err != io.ErrShortWrite || n > 2000 {
			t.Errorf("%s: %v after %d rows", f.Name, err, n)
		}
	}
}

func TestNoAllocations(t *testing.T) {
	r := oddRows()[0]
	text := []byte("(NP (DT the) (NN))")
	for _, format := range []string{"tsv", "csv", "jsonl"} {
		w := New(format, io.Discard, sampleColumns, Options{})
		if n := testing.AllocsPerRun(10_000, func() {
			r.Clear()
			r.SetText(0, text)
			r.SetUint(1, 1204)
			r.SetInt(2, -3)
			r.SetFloat(3, 0.25)
			_ = w.Write(r)
		}); n != 0 {
			t.Errorf("%s: %v allocations a row", format, n)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	text := []byte("(NP (DT the) (NN))")
	columns := []Column{{Name: "fragment"}, {Name: "order", Kind: Uint}, {Name: "support", Kind: Uint}, {Name: "occurrences", Kind: Uint}}
	for _, f := range Formats {
		b.Run(f.Name, func(b *testing.B) {
			w := f.New(io.Discard, columns, Options{})
			r := NewRow(4)
			b.ReportAllocs()
			n := uint64(0)
			for b.Loop() {
				n++
				r.Clear()
				r.SetText(0, text)
				r.SetUint(1, 3)
				r.SetUint(2, n&1023)
				r.SetUint(3, n)
				_ = w.Write(r)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
		})
	}
}
