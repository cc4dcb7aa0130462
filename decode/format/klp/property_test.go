package klp

import (
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"fstore/decode/format"
	"fstore/decode/internal/readtest"
	"fstore/index"
)

func drawName(t *rapid.T) []byte {
	return []byte(rapid.OneOf(
		rapid.SampledFrom([]string{"NP", "LEX##be::v", "#", "|", "|BX:x|", "|BT:"}),
		rapid.StringOfN(rapid.SampledFrom([]rune("\\ab|\x01é\u00a0𝕏:#")), 1, 5, -1),
	).Filter(func(s string) bool { return !isMark([]byte(s)) }).Draw(t, "name"))
}

func build(t *rapid.T, b *index.Builder, depth int) {
	b.Open(drawName(t))
	for range rapid.IntRange(0, 3).Draw(t, "children") {
		if depth > 0 && rapid.Bool().Draw(t, "bracket") {
			build(t, b, depth-1)
		} else {
			b.Word(drawName(t))
		}
	}
	b.Close()
}

func draw(t *rapid.T, b *index.Builder) (s index.Tree) {
	b.Start(&s, true)
	if rapid.Bool().Draw(t, "a tree") {
		build(t, b, 3)
	}
	s.Label = rapid.SampledFrom([]string{"NUM", "+1", "a,b", "x|y"}).Draw(t, "label")
	for _, name := range rapid.SampledFrom([][]string{nil, {"q"}, {"", "q:r"}}).Draw(t, "strings") {
		text := rapid.SampledFrom([]string{"", "How far ?", "a | b = c"}).Draw(t, "text")
		s.Comments = append(s.Comments, "# "+name+" = "+text)
	}
	return s
}

func TestPrintRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := index.Builder{Symbols: index.NewSymbols()}
		var want []index.Tree
		var text []byte
		for range rapid.IntRange(1, 3).Draw(t, "samples") {
			s := draw(t, &b)
			want = append(want, s)
			text, _ = Append(text, &s, b.Symbols)
		}
		r := Open(strings.NewReader(string(text)), format.Options{Symbols: b.Symbols})
		for i := range want {
			var got index.Tree
			if err := r.Next(&got); err != nil {
				t.Fatalf("%v in:\n%s", err, text)
			}
			got.Line = 0
			if diff := cmp.Diff(want[i], got, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("sample %d of:\n%s%s", i, text, diff)
			}
		}
		if err := r.Next(new(index.Tree)); err != io.EOF {
			t.Fatal(err)
		}
	})
}

func TestExtremes(t *testing.T) {
	const n = 200_000
	reader.Extremes(t, map[string]readtest.Extreme{
		"deep":        {Text: "x |BT:t| " + strings.Repeat("(A ", n) + "x" + strings.Repeat(")", n) + " |ET|", Items: n + 1},
		"deep, open":  {Text: "x |BT:t| " + strings.Repeat("(A ", n) + " |ET|\nx |BT:t| (a b) |ET|", Refused: 1, Items: 2},
		"wide":        {Text: "x |BT:t| (A" + strings.Repeat(" x (B)", n) + ") |ET|", Items: 2*n + 1},
		"16 MiB":      {Text: "x |BT:t| (A " + strings.Repeat("x", 16<<20) + ") |ET|", Items: 2},
		"a string":    {Text: "x |BS:s| " + strings.Repeat("| |B |BX", 8<<20) + "|ES| |BT:t| (a b) |ET|", Items: 2},
		"labels":      {Text: strings.Repeat("x ", n) + "|BT:t| (a b) |ET|", Items: 2},
		"marks":       {Text: "x " + strings.Repeat("|B", 16<<20), Refused: 1},
		"a vector":    {Text: "x |BV:v|" + strings.Repeat(" a:1", n) + " |EV| |BT:t| (a b) |ET|", Items: 2},
		"blank lines": {Text: strings.Repeat("\n", 10*n) + "x |BT:t| (a b) |ET|", Items: 2},
	})
}

// TestAllocs: after the first lines, little is allocated for a line: its label and the names of its trees.
func TestAllocs(t *testing.T) {
	line := "NUM |BV:bow| a:1 b:2 |EV| |BT:f| (S (NP (DT the) (NN cat)) (VP sat)) |ET| |BT:g| (T x) |ET|\n"
	const lines = 1000
	var s index.Tree
	r := Open(strings.NewReader(strings.Repeat(line, lines)), format.Options{Symbols: index.NewSymbols(), Representation: "g"})
	allocs := testing.AllocsPerRun(lines/2, func() {
		if err := r.Next(&s); err != nil {
			t.Fatal(err)
		}
	})
	if allocs > 8 {
		t.Errorf("%v allocations a line", allocs)
	}
}
