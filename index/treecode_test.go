package index

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// structure is what AppendTree keeps of a tree.
func structure(t *Tree) *Tree {
	return &Tree{
		Kind: t.Kind, OneAlphabet: t.OneAlphabet, Nodes: t.Nodes, Tokens: t.Tokens,
		Lines: t.Lines, Comments: t.Comments, Vectors: t.Vectors,
	}
}

func checkTreeRoundTrip(tb rapid.TB, t *Tree, s *Symbols, into *Tree) {
	b := AppendTree([]byte("prefix"), t)
	if string(b[:6]) != "prefix" {
		tb.Fatalf("AppendTree overwrote what was there")
	}
	if err := DecodeTree(b[6:], s, into); err != nil {
		tb.Fatalf("decode %x: %v", b[6:], err)
	}
	if n, err := CountWords(b[6:], s); err != nil || n != t.Words() {
		tb.Fatalf("%d words, want %d; %v", n, t.Words(), err)
	}
	checkExpander(tb, b[6:], s, t)
	diff := cmp.Diff(structure(t), structure(into), cmpopts.EquateEmpty(), cmpopts.EquateNaNs())
	if diff != "" {
		tb.Fatalf("round trip (-want +got):\n%s", diff)
	}
}

// checkExpander checks that an Expander reads the productions of t's nonterminals from b.
func checkExpander(tb interface {
	Fatalf(format string, args ...any)
}, b []byte, s *Symbols, t *Tree,
) {
	got, err := NewExpander(s, nil, All, nil).Read(b)
	if t.Kind == Dependency {
		if err == nil {
			tb.Fatalf("the productions of a dependency tree: %v", got)
		}
		return
	}
	var want []Expansion
	root := false
	for i, n := range t.Nodes {
		if n.Word {
			continue
		}
		x := Expansion{Prod: n.Prod, Root: n.Prod != 0}
		for k := i + 1; k < i+int(n.Size); k += int(t.Nodes[k].Size) {
			if !t.Nodes[k].Word {
				x.Arity++
			}
		}
		want, root = append(want, x), root || x.Root
	}
	if !root {
		want = nil
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
		tb.Fatalf("productions: %v (-want +got):\n%s", err, diff)
	}
}

func drawConstituency(t *rapid.T, s *Symbols, tree *Tree) {
	b := Builder{Symbols: s}
	b.Start(tree, rapid.Bool().Draw(t, "one alphabet"))
	label := rapid.SampledFrom([]string{"S", "NP", "VP", "", "-LRB-"})
	for n := rapid.IntRange(0, 40).Draw(t, "steps"); n > 0; n-- {
		switch rapid.IntRange(0, 2).Draw(t, "step") {
		case 0:
			b.Open([]byte(label.Draw(t, "label")))
		case 1:
			if b.Depth() > 0 || tree.OneAlphabet {
				b.Word([]byte(label.Draw(t, "word")))
			}
		case 2:
			if b.Depth() > 0 {
				b.Close()
			}
		}
	}
	for b.Depth() > 0 {
		b.Close()
	}
}

func drawDependency(t *rapid.T, s *Symbols, tree *Tree) {
	tree.Reset()
	tree.Kind = Dependency
	word := rapid.SampledFrom([]string{"_", "a", "b", "NOUN"})
	n := rapid.IntRange(0, 8).Draw(t, "tokens")
	id := func() uint32 { return s.Intern(Words, []byte(word.Draw(t, "word"))) }
	for range n {
		tree.Tokens = append(tree.Tokens, Token{
			id(), id(), id(), id(), id(), id(), id(), id(),
			int32(rapid.IntRange(0, n).Draw(t, "head")),
		})
	}
	if rapid.Bool().Draw(t, "unparsed") {
		for i := range tree.Tokens {
			tree.Tokens[i].Head = -1
		}
	}
	for range rapid.IntRange(0, 2).Draw(t, "lines") {
		tree.Lines = append(tree.Lines, Line{rapid.IntRange(0, n).Draw(t, "before"), rapid.String().Draw(t, "line")})
	}
}

func TestTreeCodeRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewSymbols()
		var tree, into Tree
		for range 3 { // into is reused
			if rapid.Bool().Draw(t, "dependency") {
				drawDependency(t, s, &tree)
			} else {
				drawConstituency(t, s, &tree)
			}
			tree.Comments = rapid.SliceOfN(rapid.String(), 0, 2).Draw(t, "comments")
			tree.Vectors = nil
			for range rapid.IntRange(0, 2).Draw(t, "vectors") {
				var v []Feature
				for range rapid.IntRange(0, 3).Draw(t, "entries") {
					v = append(v, Feature{rapid.Uint32().Draw(t, "id"), rapid.Float64().Draw(t, "value")})
				}
				tree.Vectors = append(tree.Vectors, v)
			}
			checkTreeRoundTrip(t, &tree, s, &into)
		}
	})
}

func TestTreeCodeExtremes(t *testing.T) {
	s := NewSymbols()
	b := Builder{Symbols: s}
	var tree, into Tree
	const deep = 200_000
	b.Start(&tree, false)
	for range deep {
		b.Open([]byte("X"))
	}
	b.Word([]byte("w"))
	for range deep {
		b.Close()
	}
	checkTreeRoundTrip(t, &tree, s, &into)

	b.Start(&tree, false) // so flat that it is padded
	b.Open([]byte("S"))
	for i := range 10_000 {
		b.Word(fmt.Append(nil, "w", i))
	}
	b.Close()
	checkTreeRoundTrip(t, &tree, s, &into)
	tree.Comments = []string{"# after the padding"}
	checkTreeRoundTrip(t, &tree, s, &into)

	tree.Reset()
	tree.Vectors = [][]Feature{{{math.MaxUint32, math.Inf(-1)}, {0, math.NaN()}, {1, 0}, {2, 5e-324}}, nil}
	checkTreeRoundTrip(t, &tree, s, &into)
}

func TestDecodeTreeRefuses(t *testing.T) {
	s := NewSymbols()
	b := Builder{Symbols: s}
	var tree Tree
	b.Start(&tree, false)
	b.Open([]byte("S"))
	b.Open([]byte("N"))
	b.Word([]byte("w"))
	b.Close()
	b.Close()
	good := AppendTree(nil, &tree)
	for name, b := range map[string][]byte{
		"empty":              {},
		"unknown flag":       {treeFlags + 1},
		"root label 0":       {0, 3, 1, 0, 2, 1},
		"root label unknown": {0, 3, 1, 9, 2, 1},
		"production unknown": {0, 3, 1, 1, 9, 1},
		"of another label":   {0, 3, 1, 1, 1, 1},
		"too few nodes":      {0, 4, 1, 1, 2, 1},
		"too many nodes":     {0, 2, 1, 1, 2, 1},
		"truncated":          good[:len(good)-1],
		"trailing":           append(good[:len(good):len(good)], 0),
		"huge":               {0, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 1, 1},
		"token word unknown": {treeDependency, 1, 9, 1, 1, 1, 1, 1, 1, 1, 0},
		"head outside":       {treeDependency, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4},
		"some heads":         {treeDependency, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
		"one alphabet":       {treeDependency | treeOneAlphabet, 0},
	} {
		if err := DecodeTree(b, s, &tree); err == nil {
			t.Errorf("%s: %x accepted", name, b)
		}
	}
}

func FuzzDecodeTree(f *testing.F) {
	s := NewSymbols()
	b := Builder{Symbols: s}
	var tree Tree
	b.Start(&tree, false)
	b.Open([]byte("S"))
	b.Open([]byte("NP"))
	b.Word([]byte("the"))
	b.Open([]byte("NN"))
	b.Close()
	b.Close()
	b.Open([]byte("VP"))
	for range 300 {
		b.Word([]byte("w"))
	}
	b.Close()
	b.Close()
	tree.Comments = []string{"# c"}
	tree.Vectors = [][]Feature{{{3, 1}, {7, 0.5}}}
	f.Add(AppendTree(nil, &tree))
	tree.Reset()
	tree.Kind = Dependency
	tree.Tokens = []Token{{1, 2, 1, 2, 1, 2, 1, 2, 2}, {1, 1, 1, 1, 1, 1, 1, 1, 0}}
	tree.Lines = []Line{{1, "1-2\tdu"}}
	f.Add(AppendTree(nil, &tree))
	f.Add([]byte{treeOneAlphabet, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		var tree, again Tree
		if err := DecodeTree(b, s, &tree); err != nil {
			_, _ = NewExpander(s, nil, All, nil).Read(b)
			_, _ = CountWords(b, s)
			return
		}
		checkExpander(t, b, s, &tree)
		if len(tree.Nodes) > treeNodesPerByte*(len(b)+1) || len(tree.Tokens) > len(b) {
			t.Fatalf("%d bytes became %d nodes, %d tokens", len(b), len(tree.Nodes), len(tree.Tokens))
		}
		for i, n := range tree.Nodes {
			if n.Size < 1 || i+int(n.Size) > len(tree.Nodes) || int(n.Parent) >= i {
				t.Fatalf("node %d: %+v of %d", i, n, len(tree.Nodes))
			}
		}
		if err := DecodeTree(AppendTree(nil, &tree), s, &again); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(structure(&tree), structure(&again), cmpopts.EquateEmpty(), cmpopts.EquateNaNs()); d != "" {
			t.Fatal(d)
		}
	})
}

// BenchmarkDecodeTree decodes trees of 25 nodes each, two million nodes a pass.
func BenchmarkDecodeTree(b *testing.B) {
	s := NewSymbols()
	bu := Builder{Symbols: s}
	var codes [][]byte
	var tree Tree
	nodes := 0
	for i := 0; nodes < 2_000_000; i++ {
		bu.Start(&tree, false)
		bu.Open([]byte("S"))
		for j := range 8 {
			bu.Open(fmt.Append(nil, "P", (i+j*j)%40))
			bu.Open(fmt.Append(nil, "T", (i*j)%20))
			bu.Word(fmt.Append(nil, "w", (i*j*7)%3000))
			bu.Close()
			bu.Close()
		}
		bu.Close()
		nodes += len(tree.Nodes)
		codes = append(codes, AppendTree(nil, &tree))
	}
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		for _, c := range codes {
			if err := DecodeTree(c, s, &tree); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(nodes)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
}
