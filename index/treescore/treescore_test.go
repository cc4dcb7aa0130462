package treescore

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fstore/index"
)

// brackets reads one tree such as (S (NP (DT the)) (. .)).
func brackets(s *index.Symbols, text string) *index.Tree {
	t := &index.Tree{}
	b := &index.Builder{Symbols: s}
	b.Start(t, false)
	for _, f := range strings.Fields(strings.NewReplacer("(", " (", ")", " ) ").Replace(text)) {
		switch {
		case f[0] == '(':
			b.Open([]byte(f[1:]))
		case f == ")":
			b.Close()
		default:
			b.Word([]byte(f))
		}
	}
	return t
}

// arcs reads words such as dogs/2/nsubj/NOUN/NNS: form, head, relation and the two tags.
func arcs(s *index.Symbols, text string) *index.Tree {
	t := &index.Tree{Kind: index.Dependency}
	id := func(x string) uint32 { return s.Intern(index.Words, []byte(x)) }
	for _, w := range strings.Fields(text) {
		f := strings.Split(w, "/")
		k := index.Token{Form: id(f[0]), Rel: id(f[2]), UPOS: id(f[3]), XPOS: id(f[4])}
		if _, err := fmt.Sscan(f[1], &k.Head); err != nil {
			panic(err)
		}
		t.Tokens = append(t.Tokens, k)
	}
	return t
}

func TestArcs(t *testing.T) {
	const (
		gold = "They/2/nsubj:pass/PRON/PRP left/0/root/VERB/VBD ,/2/punct/PUNCT/, $/5/dep/SYM/$ one/2/obj/NUM/CD !?/2/punct/PUNCT/."
		tree = "They/2/nsubj/X/. left/0/root/X/. ,/5/punct/X/X $/5/case/X/X one/2/obl/X/X !?/2/punct/X/X"
	)
	for _, c := range []struct {
		o    Options
		want Counts
	}{
		{Options{}, Counts{4, 4, 4, 1}},
		{Options{Punct: PunctUPOS, Universal: true}, Counts{4, 4, 4, 2}},
		{Options{Punct: PunctUnicode}, Counts{4, 4, 4, 1}}, // $ is a symbol
		{Options{Punct: PunctPTB}, Counts{4, 4, 4, 1}},
		{Options{Punct: PunctKeep}, Counts{6, 6, 5, 2}},
	} {
		// Two tables of symbols, with other ids.
		a, b := index.NewSymbols(), index.NewSymbols()
		b.Intern(index.Words, []byte("x"))
		x := New(c.o)
		x.SetGold(arcs(a, gold), a)
		if got := x.Count(arcs(b, tree), b); got != c.want {
			t.Errorf("%+v: %+v, want %+v", c.o, got, c.want)
		}
	}
}

func TestPunctuation(t *testing.T) {
	for _, c := range []struct {
		p    Punct
		w    word
		want bool
	}{
		{PunctPTB, word{[]byte("."), []byte("."), []byte("_")}, true}, // no tag of its own
		{PunctPTB, word{[]byte("."), []byte("."), []byte("CD")}, false},
		{PunctPTB, word{[]byte("-LRB-"), []byte("PUNCT"), []byte("-LRB-")}, false},
		{PunctUnicode, word{form: []byte("…»")}, true},
		{PunctUnicode, word{form: []byte("o'clock")}, false},
		{PunctUnicode, word{form: []byte("\xff")}, false},
		{PunctUnicode, word{}, false},
		{PunctKeep, word{form: []byte("."), upos: []byte("PUNCT")}, false},
	} {
		if got := c.p.leavesOut(c.w); got != c.want {
			t.Errorf("%s %q: %v", c.p, c.w, got)
		}
	}
}

func TestBrackets(t *testing.T) {
	const gold = "(TOP (S (NP (DT the) (NN dog)) (VP (VBZ barks) (NP (NP (NN night)))) (. .)))"
	for _, c := range []struct {
		tree string
		o    Options
		want Counts
	}{
		{gold, Options{}, Counts{5, 5, 5, 5}},
		// Tags and the outermost node do not count. The errors are a wrong label, a wrong span and a missing
		// bracket.
		{"(S1 (S (NX (DT the) (JJ dog)) (VP (VB barks)) (NP (NN night)) (. .)))", Options{}, Counts{5, 4, 3, 2}},
		// It does not matter whether the full stop is in the sentence, because it is no word.
		{"(TOP (X (S (NP (DT the) (NN dog)) (VP (VBZ barks) (NP (NP (NN night))))) (. .)))", Options{}, Counts{5, 6, 5, 5}},
		{"(TOP (X (S (NP (DT the) (NN dog)) (VP (VBZ barks) (NP (NP (NN night))))) (. .)))", Options{Punct: PunctKeep}, Counts{5, 6, 5, 4}},
	} {
		s := index.NewSymbols()
		x := New(c.o)
		x.SetGold(brackets(s, gold), s)
		if got := x.Count(brackets(s, c.tree), s); got != c.want {
			t.Errorf("%s %+v: %+v, want %+v", c.tree, c.o, got, c.want)
		}
	}
	c := Counts{Gold: 5, Predicted: 3, Unlabelled: 3, Labelled: 2}
	if got := []float64{c.Precision(), c.Recall(), c.LF1(), c.UF1(), (Counts{}).LF1()}; !cmp.Equal(got, []float64{2. / 3, 2. / 5, 4. / 8, 6. / 8, 0}) {
		t.Error(got)
	}
	if d, b := c.Cost(index.Dependency), c.Cost(index.Constituency); d != 2 || b != 4 {
		t.Errorf("costs %d %d", d, b)
	}
}

// TestBracketsRandom compares with a simple count, in which each bracket of a tree takes an equal bracket of
// the other tree that is still left.
func TestBracketsRandom(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 0))
		s := index.NewSymbols()
		n := 1 + r.IntN(6)
		tags := make([]string, n)
		for i := range tags {
			tags[i] = []string{"N", "V", ",", "."}[r.IntN(4)]
		}
		gold, tree := randomBrackets(r, tags, 0, n), randomBrackets(r, tags, 0, n)
		x := New(Options{})
		x.SetGold(brackets(s, gold), s)
		got := x.Count(brackets(s, tree), s)
		a, b := spans(gold), spans(tree)
		want := Counts{
			Gold: uint64(len(a)), Predicted: uint64(len(b)),
			Unlabelled: take(a, b, func(x string) string { return x[strings.Index(x, " "):] }),
			Labelled:   take(a, b, func(x string) string { return x }),
		}
		if got != want {
			t.Fatalf("%s\n%s: %+v, want %+v", gold, tree, got, want)
		}
	}
}

// randomBrackets returns a random tree over the words `from` to `to`-1. Word i is written wi.
func randomBrackets(r *rand.Rand, tags []string, from, to int) string {
	label := []string{"A", "B"}[r.IntN(2)]
	if to-from == 1 && r.IntN(2) == 0 {
		return fmt.Sprintf("(%s w%d)", tags[from], from)
	}
	if r.IntN(4) == 0 {
		return "(" + label + " " + randomBrackets(r, tags, from, to) + ")"
	}
	text := "(" + label
	for at := from; at < to; {
		end := at + 1 + r.IntN(to-at)
		if at == from && end == to {
			end = at + 1
		}
		if end-at == 1 {
			text += fmt.Sprintf(" (%s w%d)", tags[at], at)
		} else {
			text += " " + randomBrackets(r, tags, at, end)
		}
		at = end
	}
	return text + ")"
}

// spans lists the brackets of a text as "label from-to", with the numbers of words.
func spans(text string) (all []string) {
	type open struct {
		label string
		from  int
	}
	var stack []open
	word, tag := 0, false
	fields := strings.Fields(strings.NewReplacer("(", " (", ")", " ) ").Replace(text))
	for _, f := range fields {
		switch {
		case f[0] == '(':
			stack = append(stack, open{label: f[1:], from: word})
			tag = false
		case f == ")":
			o := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if !tag && o.from < word {
				all = append(all, fmt.Sprintf("%s %d-%d", o.label, o.from, word))
			}
			tag = false
		default:
			if l := stack[len(stack)-1].label; l != "," && l != "." {
				word++
			}
			tag = true
		}
	}
	return all
}

func take(a, b []string, key func(string) string) (n uint64) {
	left := map[string]int{}
	for _, x := range a {
		left[key(x)]++
	}
	for _, x := range b {
		if left[key(x)] > 0 {
			left[key(x)]--
			n++
		}
	}
	return n
}

func TestOracle(t *testing.T) {
	if got := Oracle(index.Dependency, nil); got != -1 {
		t.Error(got)
	}
	// Among trees with the most right heads, the most right relations win, then the first tree.
	list := []Counts{{4, 4, 2, 2}, {4, 4, 3, 0}, {4, 4, 3, 2}, {4, 4, 3, 2}}
	if got := Oracle(index.Dependency, list); got != 2 {
		t.Error(got)
	}
	// The F1 scores are 2·2/9, 2·2/8 and 2·2/8. The first of the best trees wins.
	list = []Counts{{4, 5, 3, 2}, {4, 4, 2, 2}, {4, 4, 3, 2}}
	if got := Oracle(index.Constituency, list); got != 1 {
		t.Error(got)
	}
}

func TestVote(t *testing.T) {
	s := index.NewSymbols()
	list := []*index.Tree{
		arcs(s, "a/0/r/X/X b/1/r/X/X c/1/r/X/X"),
		arcs(s, "a/0/r/X/X b/3/r/X/X c/1/r/X/X"),
		arcs(s, "a/2/r/X/X b/0/r/X/X c/2/r/X/X"),
	}
	// The first two share two arcs, and none with the last.
	for _, c := range []struct {
		scores []float64
		want   int
	}{
		{[]float64{1, 1, 1}, 0},
		{[]float64{1, 2, 1}, 1},
		{[]float64{1, 1, 4}, 2},
		{[]float64{-1, -2, 4}, 0}, // no votes: parser's scores
		{[]float64{0, 1, 4}, 0},
	} {
		if got := Vote(list, Votes(c.scores)); got != c.want {
			t.Errorf("%v: %d, want %d", c.scores, got, c.want)
		}
	}
	if Vote(nil, nil) != -1 {
		t.Error("a vote of none")
	}
}

// TestOracleTies: among trees with nothing right, Oracle chooses the lowest cost.
func TestOracleTies(t *testing.T) {
	list := []Counts{{Gold: 1, Predicted: 5}, {Gold: 1, Predicted: 1}, {Gold: 1, Predicted: 1}}
	if got := Oracle(index.Constituency, list); got != 1 {
		t.Errorf("tree %d, want 1", got)
	}
	list = append(list, Counts{Gold: 1, Predicted: 9, Labelled: 1})
	if got := Oracle(index.Constituency, list); got != 3 {
		t.Errorf("tree %d, want 3", got)
	}
}
