package spacetest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"fstore/index"
	"fstore/index/brute"
)

// Shape is a kind of random samples.
type Shape uint8

const (
	Brackets    Shape = iota // constituency trees
	OneAlphabet              // constituency trees in which words are childless nodes
	Dependency
)

// Corpus returns n random samples, each of at most `size` nodes or tokens. They have few symbols, so that
// fragments recur.
func Corpus(shape Shape, seed uint64, n, size int) (trees []*index.Tree, s *index.Symbols) {
	r := rand.New(rand.NewPCG(seed, uint64(shape)))
	s = index.NewSymbols()
	for range n {
		t := &index.Tree{}
		if shape == Dependency {
			dependencyTree(r, s, t, 1+r.IntN(size))
		} else {
			b := &index.Builder{Symbols: s}
			b.Start(t, shape == OneAlphabet)
			left := 1 + r.IntN(size)
			for roots := 1 + r.IntN(2); roots > 0 && left > 0; roots-- {
				brackets(r, b, &left, 0)
			}
		}
		trees = append(trees, t)
	}
	return trees, s
}

// EachCorpus makes random corpora of a shape, and calls f with a Case for each. A corpus has 5 samples, whose
// nodes or tokens are limited by the parameter `size`. The function `list` finds the fragments of a sample
// (Case.Brute).
func EachCorpus(t *testing.T, space index.Space, shape Shape, corpora uint64, size int, list func(*index.Tree, *index.Symbols, float64) map[string]*brute.Match, f func(*testing.T, *Case)) {
	for seed := range corpora {
		trees, syms := Corpus(shape, seed, 5, size)
		c := &Case{
			Space: space, Trees: trees, Symbols: syms,
			Brute: func(t *index.Tree, lambda float64) map[string]*brute.Match { return list(t, syms, lambda) },
		}
		t.Run(fmt.Sprintf("%s/%d/%d", space.ID(), shape, seed), func(t *testing.T) { f(t, c) })
	}
}

func brackets(r *rand.Rand, b *index.Builder, left *int, depth int) {
	*left--
	b.Open([]byte{"AB["[r.IntN(3)]})
	for kids := r.IntN(4); kids > 0 && *left > 0 && depth < 6; kids-- {
		if r.IntN(2) == 0 {
			*left--
			b.Word([]byte{"aA ("[r.IntN(4)]})
			continue
		}
		brackets(r, b, left, depth+1)
	}
	b.Close()
}

// dependencyTree gives t n words with random heads. Most of the trees are not projective.
func dependencyTree(r *rand.Rand, s *index.Symbols, t *index.Tree, n int) {
	t.Kind = index.Dependency
	order := r.Perm(n)
	head := make([]int32, n)
	for i, w := range order {
		if i > 0 && r.IntN(8) > 0 {
			head[w] = int32(order[r.IntN(min(i, 3))]) + 1
		}
	}
	word := func(choices string) uint32 { return s.Intern(index.Words, []byte{choices[r.IntN(len(choices))]}) }
	for w := range n {
		t.Tokens = append(t.Tokens, index.Token{
			Form: word("ab]"), Lemma: word("a_"), UPOS: word("NV"), XPOS: word("xy)"), Rel: word("rs"), Head: head[w],
		})
	}
}
