package seq

import (
	"testing"

	"fstore/index"
	"fstore/index/brute"
	"fstore/index/internal/spacetest"
)

// newSpace makes a space from options as they are written after `seq:`.
func newSpace(t testing.TB, options string) *Space {
	t.Helper()
	s, err := New(spacetest.Options(options))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var variants = []string{"", "max-length=3", "max-gap=0", "max-gap=1,max-length=2", "max-gap=2", "unit=upos", "unit=xpos,max-gap=3", "unit=lemma"}

func TestSpace(t *testing.T) {
	for _, options := range variants {
		space := newSpace(t, options)
		of := func(t *index.Tree, syms *index.Symbols, lambda float64) map[string]*brute.Match {
			return brute.Subsequences(space.unit.String(), space.maxGap, space.maxLength, t, syms, lambda)
		}
		if space.Reads(index.Constituency) {
			// Half of the nodes are words.
			spacetest.EachCorpus(t, space, spacetest.Brackets, 2, 16, of, run)
			spacetest.EachCorpus(t, space, spacetest.OneAlphabet, 2, 16, of, run)
		}
		spacetest.EachCorpus(t, space, spacetest.Dependency, 2, 9, of, run)
	}
}

func run(t *testing.T, c *spacetest.Case) {
	c.Additive = true
	c.Run(t)
}
