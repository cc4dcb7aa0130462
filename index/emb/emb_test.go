package emb

import (
	"testing"

	"fstore/index"
	"fstore/index/brute"
	"fstore/index/internal/spacetest"
)

// newSpace makes a space from options as they are written after `emb:`.
func newSpace(t testing.TB, options string) *Space {
	t.Helper()
	s, err := New(spacetest.Options(options))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var variants = []string{"", "unit=upos", "unit=xpos", "unit=lemma"}

func TestSpace(t *testing.T) {
	for _, options := range variants {
		space := newSpace(t, options)
		of := func(t *index.Tree, syms *index.Symbols, lambda float64) map[string]*brute.Match {
			return brute.EmbeddedTrees(space.unit.String(), t, syms, lambda)
		}
		if space.Reads(index.Constituency) {
			spacetest.EachCorpus(t, space, spacetest.Brackets, 5, 9, of, run)
			spacetest.EachCorpus(t, space, spacetest.OneAlphabet, 5, 9, of, run)
		}
		spacetest.EachCorpus(t, space, spacetest.Dependency, 5, 9, of, run)
	}
}

func run(t *testing.T, c *spacetest.Case) { c.Run(t) }
