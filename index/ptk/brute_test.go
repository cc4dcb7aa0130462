package ptk

import (
	"testing"

	"fstore/index"
	"fstore/index/brute"
	"fstore/index/internal/spacetest"
)

// bruteTrees lists the patterns of t, by text.
func bruteTrees(space *Space, t *index.Tree, s *index.Symbols, lambda float64) map[string]*brute.Match {
	return brute.PartialTrees(space.mu, t, s, lambda)
}

func newSpace(t testing.TB, mu ...string) *Space {
	t.Helper()
	s, err := New(func(string) []string { return mu })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// eachCase calls f with random treebanks of one and of two alphabets, for two values of μ.
func eachCase(t *testing.T, f func(*testing.T, *spacetest.Case)) {
	for _, mu := range []string{"0.4", "0.9"} {
		space := newSpace(t, mu)
		of := func(t *index.Tree, syms *index.Symbols, lambda float64) map[string]*brute.Match {
			return bruteTrees(space, t, syms, lambda)
		}
		for _, shape := range []spacetest.Shape{spacetest.Brackets, spacetest.OneAlphabet} {
			spacetest.EachCorpus(t, space, shape, 10, 9, of, f)
		}
	}
}

func TestSpace(t *testing.T) {
	eachCase(t, func(t *testing.T, c *spacetest.Case) {
		c.Additive = true
		c.Run(t)
	})
}
