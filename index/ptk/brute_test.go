package ptk

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fstore/index"
)

// The obvious way: every subsequence of the children of every node.

// match is one match of a pattern in a tree.
type match struct {
	text   string // the pattern: nested brackets, independent of codes
	nodes  []int32
	order  int
	leaves int
	skips  int // children passed over
}

func (m match) value(mu, lambda float64) float64 {
	return math.Pow(mu, float64(m.order)/2) * math.Pow(lambda, float64(m.leaves+m.skips))
}

// matchesAt lists the matches with the root at node i.
func matchesAt(t *index.Tree, s *index.Symbols, i int) (all []match) {
	n := &t.Nodes[i]
	if n.Word {
		return []match{{text: s.Text(index.Words, n.Sym), nodes: []int32{int32(i)}, order: 1, leaves: 1}}
	}
	label := s.Text(index.Labels, n.Sym)
	all = append(all, match{text: "(" + label + ")", nodes: []int32{int32(i)}, order: 1, leaves: 1})
	var kids []int
	for k := i + 1; k < i+int(n.Size); k += int(t.Nodes[k].Size) {
		kids = append(kids, k)
	}
	for chosen := 1; chosen < 1<<len(kids); chosen++ {
		some := []match{{text: "(" + label, nodes: []int32{int32(i)}, order: 1}}
		last := -1
		for at, k := range kids {
			if chosen>>at&1 == 0 {
				continue
			}
			skips := 0
			if last >= 0 {
				skips = at - last - 1
			}
			last = at
			var next []match
			for _, m := range some {
				for _, below := range matchesAt(t, s, k) {
					next = append(next, match{
						text: m.text + " " + below.text, nodes: slices.Concat(m.nodes, below.nodes),
						order: m.order + below.order, leaves: m.leaves + below.leaves, skips: m.skips + skips + below.skips,
					})
				}
			}
			some = next
		}
		for _, m := range some {
			m.text += ")"
			all = append(all, m)
		}
	}
	return all
}

// matches lists the matches of every pattern in t.
func matches(t *index.Tree, s *index.Symbols) (all []match) {
	for i := range t.Nodes {
		all = append(all, matchesAt(t, s, i)...)
	}
	for i := range all {
		slices.Sort(all[i].nodes)
	}
	return all
}

// randomTree builds a random tree of at most size nodes, or a forest of two, over few
// symbols, so that patterns recur.
func randomTree(r *rand.Rand, s *index.Symbols, oneAlphabet bool, size int) *index.Tree {
	t := &index.Tree{}
	b := &index.Builder{Symbols: s}
	b.Start(t, oneAlphabet)
	left := 1 + r.IntN(size)
	var grow func(depth int)
	grow = func(depth int) {
		left--
		if depth > 0 && r.IntN(3) == 0 {
			b.Word([]byte{"ab ("[r.IntN(4)]})
			return
		}
		b.Open([]byte{"AB)a"[r.IntN(4)]})
		for left > 0 && depth < 5 && r.IntN(4) > 0 {
			grow(depth + 1)
		}
		b.Close()
	}
	for roots := 1 + r.IntN(5)/4; roots > 0 && left > 0; roots-- {
		grow(0)
	}
	return t
}

func corpus(seed uint64, n, size int) ([]*index.Tree, *index.Symbols) {
	r := rand.New(rand.NewPCG(seed, 3))
	s := index.NewSymbols()
	var trees []*index.Tree
	for range n {
		trees = append(trees, randomTree(r, s, seed%2 == 1, size))
	}
	return trees, s
}

// eachCorpus calls f with random treebanks, of two alphabets and of one.
func eachCorpus(t *testing.T, size int, f func(t *testing.T, trees []*index.Tree, s *index.Symbols)) {
	for seed := range uint64(40) {
		trees, s := corpus(seed, 4, size)
		f(t, trees, s)
	}
}

func newSpace(t testing.TB, mu ...string) *Space {
	t.Helper()
	s, err := New(func(string) []string { return mu })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// key is what matches print for the pattern of a code.
func key(c index.Code, syms *index.Symbols) string {
	steps, _ := c.Steps(nil)
	var write func(i int) (string, int)
	write = func(i int) (string, int) {
		class, id := symbolOf(steps[i].Sym)
		if class == index.Words {
			return syms.Text(class, id), i + 1
		}
		text := "(" + syms.Text(class, id)
		next := i + 1
		for next < len(steps) && steps[next].Off == steps[i].Off+1 {
			var kid string
			kid, next = write(next)
			text += " " + kid
		}
		return text + ")", next
	}
	text, _ := write(0)
	return text
}
