package treescore_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"fstore/index"
	"fstore/index/treescore"
)

// TestPartsAreCounts compares Parts.Expected with the weighted sum of the counts that Scorer finds, with each
// tree of the list as the gold tree.
func TestPartsAreCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		s := index.NewSymbols()
		var list []*index.Tree
		constituency := r.IntN(2) == 0
		for range 1 + r.IntN(4) {
			x := &index.Tree{Kind: index.Dependency}
			if constituency {
				randomBrackets(r, s, x)
			} else {
				for w := range 4 {
					form := s.Intern(index.Words, []byte("w"))
					x.Tokens = append(x.Tokens, index.Token{Form: form, UPOS: form, XPOS: form, Head: int32((w + r.IntN(3)) % 4), Rel: s.Intern(index.Words, []byte{"ab"[r.IntN(2)]})})
				}
			}
			list = append(list, x)
		}
		weights := make([]float64, len(list))
		for i := range weights {
			weights[i] = float64(r.IntN(3))
		}
		var p treescore.Parts
		p.Set(list, s)
		for _, labelled := range []bool{false, true} {
			got := make([]float64, len(list))
			p.Expected(got, weights, labelled)
			for i, x := range list {
				want := 0.0
				for k, gold := range list {
					score := treescore.New(treescore.Options{Punct: treescore.PunctKeep})
					score.SetGold(gold, s)
					c := score.Count(x, s)
					if labelled {
						want += weights[k] * float64(c.Labelled)
					} else {
						want += weights[k] * float64(c.Unlabelled)
					}
				}
				if math.Abs(got[i]-want) > 1e-9 {
					t.Fatalf("tree %d, labelled %v: %g, want %g", i, labelled, got[i], want)
				}
			}
		}
	}
}

// randomBrackets makes a tree of four words.
func randomBrackets(r *rand.Rand, s *index.Symbols, x *index.Tree) {
	b := &index.Builder{Symbols: s}
	b.Start(x, false)
	var grow func(n int)
	grow = func(n int) {
		b.Open([]byte{"AB"[r.IntN(2)]})
		switch {
		case r.IntN(3) == 0:
			grow(n)
		case n == 1:
			b.Word([]byte("w"))
		default:
			k := 1 + r.IntN(n-1)
			grow(k)
			grow(n - k)
		}
		b.Close()
	}
	grow(4)
}
