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

// enumerate returns the trees of words[from:to] with a label at the root, and their probabilities,
// by the rules of g written out; chain is how many unary rules may still follow.
func enumerate(g *Grammar, words []string, label, from, to, chain int) map[string]float64 {
	all := map[string]float64{}
	name := g.labels[label]
	if to == from+1 {
		for _, tag := range g.tags(words[from], from == 0) {
			if tag.label == label {
				all["("+name+" "+words[from]+")"] += tag.log
			}
		}
	}
	for below, up := range g.unaries {
		for _, u := range up {
			if u.from != label || chain == 0 {
				continue
			}
			for t, log := range enumerate(g, words, below, from, to, chain-1) {
				all["("+name+" "+t+")"] = log + u.log
			}
		}
	}
	var extend func(at, begin int, text string, log float64, kids int)
	extend = func(at, begin int, text string, log float64, kids int) {
		if begin == to {
			for _, end := range g.trie[at].ends {
				if end.label == label && kids > 1 {
					all["("+name+text+")"] = log + end.log
				}
			}
			return
		}
		for x, next := range g.trie[at].next {
			for end := begin + 1; end <= to && end-begin < to-from; end++ {
				for t, l := range enumerate(g, words, x, begin, end, longestChain) {
					extend(next, end, text+" "+t, log+l, kids+1)
				}
			}
		}
	}
	extend(0, from, "", 0, 0)
	return all
}

func TestKBestIsBruteForce(t *testing.T) {
	var trees []*Tree
	for _, text := range []string{
		"(S (NP (N we)) (VP (V saw) (NP (D the) (N man)) (PP (P with) (NP (N hats)))))",
		"(S (NP (D the) (N man)) (VP (V saw) (NP (NP (N hats)) (PP (P with) (NP (N men))))))",
		"(S (VP (V saw) (NP (N men))))",
		"(NP (NP (N men)) (PP (P with) (NP (N hats))))",
		"(S (NP (N we)) (VP (VP (V saw)) (PP (P with) (NP (N saw)))))",
	} {
		trees = append(trees, read(text))
	}
	g := New(trees)
	for _, sentence := range []string{"saw men", "men with hats", "we saw saw with men", "we met men"} {
		words := strings.Fields(sentence)
		want := map[string]float64{}
		for label, log := range g.root {
			for text, l := range enumerate(g, words, label, 0, len(words), longestChain) {
				want[text] = l + log
			}
		}
		got, found := g.Parse(words, 10_000)
		if !found || len(got) != len(want) || len(want) == 0 {
			t.Fatalf("%s: %d trees, want %d", sentence, len(got), len(want))
		}
		for i, p := range got {
			text := string(p.Tree.Append(nil))
			if log, ok := want[text]; !ok || math.Abs(log-p.Log) > 1e-9 {
				t.Errorf("%s: %s: %g, want %g", sentence, text, p.Log, log)
			}
			delete(want, text)
			if i > 0 && p.Log > got[i-1].Log {
				t.Errorf("%s: tree %d is more probable than the one before", sentence, i+1)
			}
		}
		few, _ := g.Parse(words, 3)
		for i := range few {
			if few[i].Log != got[i].Log {
				t.Errorf("%s: of 3, tree %d has %g, want %g", sentence, i+1, few[i].Log, got[i].Log)
			}
		}
	}
}

// A sentence that no rules derive has one tree, with all its words.
func TestFlat(t *testing.T) {
	g := New([]*Tree{read("(S (N a) (V b))")})
	got, found := g.Parse([]string{"b", "b", "b"}, 5)
	if found || len(got) != 1 || string(got[0].Tree.Append(nil)) != "(S (V b) (V b) (V b))" {
		t.Errorf("%v, %s", found, got[0].Tree.Append(nil))
	}
}
