package pcfg

import (
	"math"
	"strings"
	"testing"
)

// read reads a tree in brackets.
func read(text string) *Tree {
	var open []*Tree
	root := &Tree{}
	open = append(open, root)
	for _, f := range strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text)) {
		top := open[len(open)-1]
		switch {
		case f == "(":
			k := &Tree{}
			top.Kids = append(top.Kids, k)
			open = append(open, k)
		case f == ")":
			open = open[:len(open)-1]
		case top.Label == "":
			top.Label = f
		default:
			top.Word = f
		}
	}
	return root.Kids[0]
}

// treebank returns small trees. Each occurs so often that its pairs of a label and its parent are common.
func treebank() (trees []*Tree) {
	for _, text := range []string{
		"(S (NP (N we)) (VP (V saw) (NP (D the) (N man)) (PP (P with) (NP (N hats)))))",
		"(S (NP (D the) (N man)) (VP (V saw) (NP (NP (N hats)) (PP (P with) (NP (N men))))))",
		"(S (VP (V saw) (NP (N men))))",
		"(NP (NP (N men)) (PP (P with) (NP (N hats))))",
		"(S (NP (N we)) (VP (VP (V saw)) (PP (P with) (NP (N saw)))))",
	} {
		for range 40 {
			trees = append(trees, read(text))
		}
	}
	return append(trees, read("(NP (N hat) (N 7))"))
}

// trees returns what a symbol derives over words[from:to], as text with the logarithm of their probability.
// It tries every rule in every way.
func (g *Grammar) trees(t *testing.T, words []string, sym int32, from, to int) map[string]float64 {
	all := map[string]float64{}
	add := func(text string, log float64) {
		if _, ok := all[text]; ok {
			t.Errorf("two derivations of %s", text)
		}
		all[text] = log
	}
	for _, c := range g.chainsOf[sym] {
		open, shut := "", ""
		labels := strings.Split(c.text, " ")
		for i := 0; i+2 < len(labels); i += 2 {
			if labels[i] != "" {
				open, shut = open+"("+labels[i]+" ", shut+")"
			}
		}
		for text, log := range g.trees(t, words, c.to, from, to) {
			add(open+text+shut, log+c.log)
		}
	}
	open, shut := "", ""
	if s := g.symbols[sym]; s.role == branch {
		open, shut = "("+s.label+" ", ")"
		for _, x := range g.tagsOf(words[from], from == 0) {
			if to == from+1 && x.tag == sym {
				add(open+words[from]+shut, x.log)
			}
		}
	}
	for _, b := range g.binariesOf[sym] {
		for mid := from + 1; mid < to; mid++ {
			for left, l := range g.trees(t, words, b.left, from, mid) {
				for right, r := range g.trees(t, words, b.right, mid, to) {
					add(open+left+" "+right+shut, l+r+b.log)
				}
			}
		}
	}
	return all
}

func TestKBestIsBruteForce(t *testing.T) {
	g := New(treebank())
	p := NewParser(g)
	for _, sentence := range []string{"saw men", "men with hats", "we saw saw with men", "We met men with 9"} {
		words := strings.Fields(sentence)
		want := g.trees(t, words, goal, 0, len(words))
		got, found := p.Parse(words, 100_000)
		if !found || len(got) != len(want) {
			t.Fatalf("%s: %d trees, want %d", sentence, len(got), len(want))
		}
		for i, x := range got {
			text := string(x.Tree.Append(nil))
			if log, ok := want[text]; !ok || math.Abs(log-x.Log) > 1e-9 {
				t.Errorf("%s: %s: %g, want %g", sentence, text, x.Log, log)
			}
			delete(want, text)
			if i > 0 && x.Log > got[i-1].Log {
				t.Errorf("%s: tree %d is more probable than the one before", sentence, i+1)
			}
		}
		few, _ := p.Parse(words, 3)
		for i := range few {
			if few[i].Log != got[i].Log {
				t.Errorf("%s: of 3, tree %d has %g, want %g", sentence, i+1, few[i].Log, got[i].Log)
			}
		}
	}
}

// The chart has the best tree of every symbol over every span.
func TestChartIsBruteForce(t *testing.T) {
	g := New(treebank())
	p := NewParser(g)
	words := strings.Fields("men saw the man with hats")
	p.chart(words)
	for from := range words {
		for to := from + 1; to <= len(words); to++ {
			for sym, got := range p.over(from, to) {
				want := none
				for _, log := range g.trees(t, words, int32(sym), from, to) {
					want = max(want, log)
				}
				if got != want && math.Abs(got-want) > 1e-9 {
					t.Errorf("%v over %v: %g, want %g", g.symbols[sym], words[from:to], got, want)
				}
			}
		}
	}
}

// The probabilities of a symbol's rules, without the rules for words, have the sum 1.
func TestRules(t *testing.T) {
	g := New(treebank())
	annotated := false
	for sym, s := range g.symbols {
		sum, n := 0.0, len(g.chainsOf[sym])+len(g.binariesOf[sym])
		for _, c := range g.chainsOf[sym] {
			sum += math.Exp(c.log)
		}
		for _, b := range g.binariesOf[sym] {
			sum += math.Exp(b.log)
		}
		if n > 0 && math.Abs(sum-1) > 1e-9 {
			t.Errorf("%v: rules of %g", s, sum)
		}
		annotated = annotated || s.role == whole && s.parent != ""
	}
	if !annotated {
		t.Error("no label has its parent's")
	}
	// Of 201 roots, 40 are an S with a VP alone.
	if got, want := math.Exp(g.chainsOf[goal][len(g.chainsOf[goal])-1].log), 40.0/201; math.Abs(got-want) > 1e-9 {
		t.Errorf("a chain of S and VP: %g, want %g", got, want)
	}
}

// An unknown word has the tags of its class. A first word has the tags that it has in lower case.
func TestWords(t *testing.T) {
	g := New(treebank())
	tag := func(word string, first bool) (best string, n int) {
		most := none
		all := g.tagsOf(word, first)
		for _, x := range all {
			if p := x.log + math.Log(g.share[index(g.tags, x.tag)]); p > most {
				best, most = g.symbols[x.tag].label, p
			}
		}
		return best, len(all)
	}
	for _, c := range []struct {
		word  string
		first bool
		want  string
	}{{"saw", false, "V"}, {"The", true, "D"}, {"99", false, "N"}, {"chat", false, "N"}} {
		if got, n := tag(c.word, c.first); got != c.want || n == 0 {
			t.Errorf("%s: %s of %d, want %s", c.word, got, n, c.want)
		}
	}
}

func index(all []int32, x int32) int {
	for i, y := range all {
		if x == y {
			return i
		}
	}
	return -1
}

// A sentence that the rules do not derive has one tree, with all its words.
func TestFlat(t *testing.T) {
	g := New([]*Tree{read("(S (N a) (V b))")})
	got, found := NewParser(g).Parse([]string{"b", "b", "b"}, 5)
	if found || len(got) != 1 || string(got[0].Tree.Append(nil)) != "(S (V b) (V b) (V b))" {
		t.Errorf("%v, %s", found, got[0].Tree.Append(nil))
	}
}
