package portable

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fstore/index"
)

// readAll reads a whole file.
func readAll(r io.Reader) (h *Header, rows []Row, err error) {
	x, err := NewReader(r, "f")
	if err != nil {
		return nil, nil, err
	}
	for {
		row, err := x.Next()
		if err == io.EOF {
			return x.Header, rows, nil
		}
		if err != nil {
			return x.Header, rows, err
		}
		c := *row
		c.Stats = append([]float64(nil), row.Stats...)
		rows = append(rows, c)
	}
}

func write(t *testing.T, h *Header, rows []Row) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := NewWriter(&b, h)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		if err := w.Write(&rows[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const example = `fstore selection 1
space	stk
by	chi2
setting	alpha	"0.05"
setting	where	"a\tb\nc"
vocabulary	00000000000000ff
fragments	2
fragment	score	weight	support	occurrences
(NN cat)	4.5	0	12	13
(NP (DT the) (NN))	-1e-300	0.1	31	35
`

// A selection that was written is read, and written again as the same bytes.
func TestRoundTrip(t *testing.T) {
	h, rows, err := readAll(strings.NewReader(example))
	if err != nil {
		t.Fatal(err)
	}
	want := &Header{
		Space: "stk", By: "chi2", Settings: map[string]string{"alpha": "0.05", "where": "a\tb\nc"},
		Vocabulary: 255, Fragments: 2, Columns: []string{"support", "occurrences"},
	}
	if d := cmp.Diff(want, h); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]Row{{9, "(NN cat)", 4.5, 0, []float64{12, 13}}, {10, "(NP (DT the) (NN))", -1e-300, .1, []float64{31, 35}}}, rows); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(example, string(write(t, h, rows))); d != "" {
		t.Error(d)
	}
}

// A file that does not begin like a selection is a list.
func TestList(t *testing.T) {
	h, rows, err := readAll(strings.NewReader("\ufeff(NN cat)\r\n\n  \n(NN dog)"))
	if err != nil || h != nil || len(rows) != 2 || rows[0].Fragment != "(NN cat)" || rows[1].Fragment != "(NN dog)" || rows[1].Line != 4 {
		t.Errorf("%+v %+v %v", h, rows, err)
	}
}

func TestBadInput(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{example, "", "f: no fragments"},
		{"selection 1", "selection 2", `f:1: version "2" of the format`},
		{"by\tchi2\n", "", "f:7: the header has no by"},
		{"by\tchi2", "by", "f:3: expected a name, a tab and a value"},
		{"by\tchi2", "why\tchi2", `f:3: why "chi2": not what a header has`},
		{`"0.05"`, "0.05x", "f:4: setting alpha: expected a JSON string"},
		{"00ff", "00fg", "f:6: vocabulary "},
		{"fragments\t2", "fragments\t3", "f: the file ends after 2 of 3 fragments"},
		{"fragments\t2", "fragments\t1", "f:10: more than the 1 fragments of the header"},
		{"\tweight", "", "f:8: expected the columns fragment, score, weight"},
		{"\toccurrences\n", "\t\n", "f:8: a column without a name"},
		{"\t13", "", "f:9: 4 fields where 5 are expected"},
		{"4.5", "4,5", `f:9: "4,5" is no number`},
		{"fragment\tscore", "", "f:8: expected a name"},
	} {
		_, _, err := readAll(strings.NewReader(strings.Replace(example, c.old, c.new, 1)))
		var bad *index.InputError
		if !errors.As(err, &bad) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q for %q: %v, want %s", c.new, c.old, err, c.want)
		}
	}
	if _, _, err := readAll(strings.NewReader("fstore selection 1\nby\tx\n")); err == nil || err.Error() != "f:2: the header ends early" {
		t.Error(err)
	}
}

// Reading any bytes does not panic. A selection that was read is written, and read again as the same
// selection.
func FuzzReader(f *testing.F) {
	f.Add([]byte(example))
	f.Add([]byte("(NN cat)\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		h, rows, err := readAll(bytes.NewReader(b))
		var bad *index.InputError
		if err != nil && !errors.As(err, &bad) {
			t.Fatal(err)
		}
		if err != nil || h == nil {
			return
		}
		text := write(t, h, rows)
		again, rowsAgain, err := readAll(bytes.NewReader(text))
		if err != nil || again.Fragments != h.Fragments || len(rowsAgain) != len(rows) {
			t.Fatalf("%q: %v", text, err)
		}
		if !bytes.Equal(write(t, again, rowsAgain), text) {
			t.Fatalf("%q changes", text)
		}
	})
}
