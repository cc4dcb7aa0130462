package svmtk

import (
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"fstore/decode/format"
	"fstore/index"
)

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

func drawName(t *rapid.T) []byte {
	return []byte(rapid.OneOf(
		rapid.SampledFrom([]string{"NP", "LEX=be::v", "1:1", "#", "|", "|BT:x|"}),
		rapid.StringOfN(rapid.SampledFrom([]rune("\\ab|\x01é\u00a0𝕏:#")), 1, 5, -1),
	).Filter(func(s string) bool { return !isMark([]byte(s)) }).Draw(t, "name"))
}

func TestPrintRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := index.Builder{Symbols: index.NewSymbols()}
		var want []index.Tree
		var text []byte
		for range rapid.IntRange(1, 3).Draw(t, "samples") {
			var s index.Tree
			b.Start(&s, true)
			for range rapid.IntRange(0, 3).Draw(t, "trees") {
				build(t, &b, 3)
			}
			s.Label = rapid.SampledFrom([]string{"1", "-1", "+1", "0", "2.50", "1e-3", "1,2"}).Draw(t, "label")
			for range rapid.IntRange(0, 3).Draw(t, "vectors") {
				var v []index.Feature
				for id := uint32(0); rapid.Bool().Draw(t, "more"); {
					id += rapid.Uint32Range(1, 1<<20).Draw(t, "gap")
					v = append(v, index.Feature{ID: id, Value: rapid.Float64Range(-1e300, 1e300).Draw(t, "value")})
				}
				s.Vectors = append(s.Vectors, v)
			}
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
	})
}

// TestExtremes reads lines that are deep, wide or long.
func TestExtremes(t *testing.T) {
	const n = 200_000
	var entries strings.Builder
	for i := range n {
		entries.WriteString(" " + strconv.Itoa(i+1) + ":1")
	}
	for name, c := range map[string]struct {
		text  string
		nodes int
	}{
		"deep":        {"1 |BT| " + strings.Repeat("(A ", n) + "x" + strings.Repeat(")", n) + " |ET|", n + 1},
		"deep, open":  {"1 |BT| " + strings.Repeat("(A ", n) + " |ET|\n1", 0},
		"wide":        {"1 |BT| (A" + strings.Repeat(" x (B)", n) + ") |ET|", 2*n + 1},
		"many trees":  {"1" + strings.Repeat(" |BT| (A b)", n) + " |ET|", 2 * n},
		"16 MiB":      {"1 |BT| (A " + strings.Repeat("x", 16<<20) + ") |ET|", 2},
		"a vector":    {"1" + entries.String(), 0},
		"blank lines": {strings.Repeat("\n", 10*n) + "1", 0},
		"comments":    {strings.Repeat("# x\n", n) + "1", 0},
	} {
		t.Run(name, func(t *testing.T) {
			r := Open(strings.NewReader(c.text), format.Options{Symbols: index.NewSymbols()})
			var s index.Tree
			err := r.Next(&s)
			if _, bad := err.(*index.InputError); bad {
				err = r.Next(&s)
			}
			if err != nil || len(s.Nodes) != c.nodes {
				t.Errorf("%d nodes, %v", len(s.Nodes), err)
			}
			if err := r.Next(&s); err != io.EOF {
				t.Error(err)
			}
		})
	}
}

// TestAllocs: after the first lines, nothing is allocated for a line except its label.
func TestAllocs(t *testing.T) {
	line := "-1 |BT| (S (NP (DT the) (NN cat)) (VP sat)) |BT| (T x) |ET| 1:0.25 7:1e-3 |BV| 3:4 |EV|\n"
	const lines = 1000
	syms := index.NewSymbols()
	var s index.Tree
	r := Open(strings.NewReader(strings.Repeat(line, lines)), format.Options{Symbols: syms})
	allocs := testing.AllocsPerRun(lines/2, func() {
		if err := r.Next(&s); err != nil {
			t.Fatal(err)
		}
	})
	if allocs > 1 {
		t.Errorf("%v allocations a line", allocs)
	}
}
