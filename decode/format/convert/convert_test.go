package convert

import (
	"io"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"fstore/decode/format"
	"fstore/decode/format/conllu"
	"fstore/decode/format/svmtk"
	"fstore/index"
)

// TestShapes reads CoNLL-U, and prints the three shapes as svmtk prints them.
func TestShapes(t *testing.T) {
	datadriven.RunTest(t, "testdata/shapes", func(t *testing.T, d *datadriven.TestData) string {
		o := Options{}
		for _, a := range d.CmdArgs {
			switch a.Key {
			case "tag":
				a.Scan(t, 0, &o.Tag)
			case "word":
				a.Scan(t, 0, &o.Word)
			default:
				d.Fatalf(t, "unknown argument %s", a.Key)
			}
		}
		var rows []string
		for line := range strings.Lines(d.Input + "\n") {
			rows = append(rows, strings.ReplaceAll(strings.Join(strings.Fields(line), "\t"), "~", " "))
		}
		input := strings.Join(rows, "\n") + "\n"
		var out strings.Builder
		for _, o.Shape = range Shapes() {
			out.WriteString(o.Shape + ": " + convert(t, o, input))
		}
		return out.String()
	})
}

// convert returns the converted sentences of input as text, and checks that the text reads back as the same
// trees.
func convert(t *testing.T, o Options, input string) string {
	t.Helper()
	if err := o.Check(); err != nil {
		t.Fatal(err)
	}
	from, to := index.NewSymbols(), index.NewSymbols()
	c := New(o, from, to)
	r := conllu.Open(strings.NewReader(input), format.Options{Symbols: from})
	var text []byte
	var tree, dst index.Tree
	for {
		err := r.Next(&tree)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		c.Convert(&dst, &tree)
		text, _ = svmtk.Append(text, &dst, to)
	}
	if n := to.Len(index.Words); n > 0 {
		t.Errorf("%d words", n)
	}
	back := index.NewSymbols()
	again := svmtk.Open(strings.NewReader(string(text)), format.Options{Symbols: back})
	for again.Next(&tree) == nil {
	}
	for class := range index.NumClasses {
		if back.Len(class) != to.Len(class) {
			t.Errorf("%d %ss read back, %d written", back.Len(class), class, to.Len(class))
		}
		for id := range uint32(min(back.Len(class), to.Len(class))) {
			if string(back.Bytes(class, id+1)) != string(to.Bytes(class, id+1)) {
				t.Fatalf("%s %d reads back as %q, was %q", class, id+1, back.Bytes(class, id+1), to.Bytes(class, id+1))
			}
		}
	}
	return string(text)
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Shape: "cct"}, `--as: "cct" is none of grct, lct, loct`},
		{Options{Shape: "lct", Tag: "pos"}, `--as-tag: "pos" is none of upos, xpos`},
		{Options{Shape: "lct", Word: "stem"}, `--as-word: "stem" is none of form, lemma`},
		{Options{Shape: "lct", Tag: "xpos", Word: "lemma"}, ""},
	} {
		got := ""
		if err := c.o.Check(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%+v: %q, want %q", c.o, got, c.want)
		}
	}
}

// TestDeep converts a long chain, to show that there is no recursion and no quadratic time.
func TestDeep(t *testing.T) {
	const n = 1_000_000
	from, to := index.NewSymbols(), index.NewSymbols()
	w := from.Intern(index.Words, []byte("w"))
	tree := index.Tree{Kind: index.Dependency, Tokens: make([]index.Token, n)}
	for _, chain := range []bool{true, false} {
		for i := range tree.Tokens {
			tree.Tokens[i] = index.Token{Form: w, Lemma: w, UPOS: w, XPOS: w, Rel: w, Misc: w, Head: int32(i)}
			if !chain {
				tree.Tokens[i].Head = int32(min(i, 1))
			}
		}
		for _, shape := range Shapes() {
			var dst index.Tree
			New(Options{Shape: shape}, from, to).Convert(&dst, &tree)
			if want := map[string]int{"grct": 3 * n, "lct": 3 * n, "loct": n}[shape]; len(dst.Nodes) != want {
				t.Errorf("%s: %d nodes, want %d", shape, len(dst.Nodes), want)
			}
		}
	}
}
