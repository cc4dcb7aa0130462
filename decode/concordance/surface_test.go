package concordance

import (
	"io"
	"slices"
	"strings"
	"testing"

	"fstore/decode/internal/readtest"
	"fstore/decode/read"
	"fstore/index"
)

func TestSurface(t *testing.T) {
	for _, c := range []struct {
		name, format, input string
		text                string
		spans               []string // the text of each span
	}{
		{"words", "ptb", "(S (NP (DT the) (NN cat)) (VP sat))", "the cat sat", []string{"the cat sat", "the cat", "the", "the", "cat", "cat", "sat", "sat"}},
		{"mixed", "ptb", "(C og (lemma og) x)", "og og x", []string{"og og x", "og", "og", "og", "x"}},
		{"childless", "ptb", "(S (A) (B x) (C) (D))", "x", []string{"x", "", "x", "x", "", ""}},
		{"nothing", "ptb", "(S (A))", "", []string{"", ""}},
		{"one alphabet", "svmtk", "1 |BT| (S (N dog) (V)) |BT| (T x) |ET|", "dog V x", []string{"dog V", "dog", "dog", "V", "x", "x"}},
		{"no tree", "svmtk", "1 1:1", "", nil},
		{"tokens", "conllu", readtest.Word("a") + strings.Replace(readtest.Word("b"), "1", "2", 1), "a b", []string{"a", "b"}},
		{"text", "conllu", "# text = a,  b!\n" + words("a", ",", "b", "!"), "a,  b!", []string{"a", ",", "b", "!"}},
		{"range", "conllu", "# text = do: don't go\n" + words("do", ":", "2", "n't", "go"), "do: don't go", nil},
		{"range in text", "conllu", "#text=du passé\n1-2\tdu" + strings.Repeat("\t_", 8) + "\n" + words("de", "le", "passé"), "du passé", []string{"du", "du", "passé"}},
		{"range, no text", "conllu", "1-2\tdu" + strings.Repeat("\t_", 8) + "\n" + words("de", "le", "passé"), "du passé", []string{"du", "du", "passé"}},
		{"spaces in a word", "conllu", "# text = 1\u00a0000 x\n" + words("1 000", "x"), "1\u00a0000 x", []string{"1\u00a0000", "x"}},
		{"another text", "conllu", "# text = something else\n" + words("a", "b"), "a b", []string{"a", "b"}},
		{"more text", "conllu", "# text = a b c\n" + words("a", "b"), "a b", []string{"a", "b"}},
		{"less text", "conllu", "# text = a\n" + words("a", "b"), "a b", []string{"a", "b"}},
		{"no text for a word", "conllu", "# text = ab\n" + words("a", "", "b"), "", nil},
		{"empty node", "conllu", "# text = ab\n0.1\tx" + strings.Repeat("\t_", 8) + "\n" + words("a", "b"), "ab", []string{"a", "b"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := read.FormatByName(c.format)
			if err != nil {
				t.Fatal(err)
			}
			syms := index.NewSymbols()
			var tree index.Tree
			if err := f.Open(strings.NewReader(c.input), read.Options{Symbols: syms}).Next(&tree); err != nil {
				if c.spans != nil {
					t.Fatal(err)
				}
				return
			}
			x := Surface(&tree, syms)
			var spans []string
			for _, s := range x.Spans {
				spans = append(spans, x.Text[s.From:s.To])
			}
			if c.spans != nil && (x.Text != c.text || !slices.Equal(spans, c.spans)) {
				t.Errorf("%q %q, want %q %q", x.Text, spans, c.text, c.spans)
			}
		})
	}
}

// words returns a sentence whose first word is the root.
func words(forms ...string) string {
	var b strings.Builder
	for i, f := range forms {
		head := "1\tdep"
		if i == 0 {
			head = "0\troot"
		}
		b.WriteString(strings.Join([]string{string(rune('1' + i)), f, "_", "X", "_", "_", head, "_", "_"}, "\t") + "\n")
	}
	return b.String()
}

func TestSplit(t *testing.T) {
	syms := index.NewSymbols()
	in, err := read.Open([]string{"-"}, read.InputOptions{Symbols: syms, Stdin: strings.NewReader("(S (NP the cat) (VP sat) (PP on (NP it)))")})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var tree index.Tree
	if err := in.Next(&tree); err != nil {
		t.Fatal(err)
	}
	x := Surface(&tree, syms)
	for _, c := range []struct {
		items              []int32
		left, match, right string
	}{
		{[]int32{1}, "", "the cat", " sat on it"},
		{[]int32{4, 5}, "the cat ", "sat", " on it"},
		{[]int32{3, 7}, "the ", "cat sat on", " it"},
		{[]int32{0}, "", "the cat sat on it", ""},
		{nil, "the cat sat on it", "", ""},
	} {
		if l, m, r := x.Split(c.items); l != c.left || m != c.match || r != c.right {
			t.Errorf("%v: %q %q %q", c.items, l, m, r)
		}
	}
	if err := in.Next(&tree); err != io.EOF {
		t.Error(err)
	}
}

func TestAppend(t *testing.T) {
	syms := index.NewSymbols()
	treeOf := func(format, input string) *index.Tree {
		f, err := read.FormatByName(format)
		if err != nil {
			t.Fatal(err)
		}
		var tree index.Tree
		if err := f.Open(strings.NewReader(input), read.Options{Symbols: syms}).Next(&tree); err != nil {
			t.Fatal(err)
		}
		return &tree
	}
	for _, c := range []struct{ from, input, to, want string }{
		{"ptb", "( (S (NP x)\n (-LRB- \\() (E)) (ID n))", "ptb", "(S (NP x) (-LRB- \\() (E))\n"},
		{"ptb", "(S (NP x) (-LRB- \\() (E) (X |ET| a\\)))", "svmtk", "0 |BT| (S (NP (x)) (-LRB- (-LRB-)) (E) (X (_) (a-RRB-))) |ET|\n"},
		{"ptb", "(NP)", "svmtk", "0 |BT| (NP) |ET|\n"},
		{"svmtk", "+1 |BT| (S (N dog)(V)) |ET| 1:1", "ptb", "(S (N dog) V)\n"},
		{"svmtk", "+1 |BT| (S x) |BT| (T) |ET|", "ptb", "(TOP (S x) (T))\n"},
		{"svmtk", "1 1:1", "ptb", "(TOP)\n"},
		{"svmtk", "1 |BT| (a b(c)) |ET| 3:0.25 # z", "svmtk", "1 |BT| (a (b) (c)) |ET| 3:0.25 |EV| # z\n"},
		{"conllu", readtest.Word("a"), "conllu", readtest.Word("a") + "\n"},
		{"conllu", readtest.Word("a"), "ptb", "a dependency tree cannot be written as ptb"},
		{"conllu", readtest.Word("a"), "svmtk", "a dependency tree cannot be written as svmtk"},
		{"ptb", "(a b)", "conllu", "a constituency tree cannot be written as conllu"},
	} {
		f, err := read.FormatByName(c.to)
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.Append(nil, treeOf(c.from, c.input), syms)
		if err != nil {
			got = []byte(err.Error())
		}
		if string(got) != c.want {
			t.Errorf("%s to %s: %q, want %q", c.from, c.to, got, c.want)
		}
	}
}
