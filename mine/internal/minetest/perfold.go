package minetest

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/store"
)

// Some passes over samples, by number.
type Some struct {
	index.Source
	Without map[int]bool
	Single  bool // the first label of each
	n       int
}

func (s *Some) Next(t *index.Tree) error {
	for {
		err := s.Source.Next(t)
		s.n++
		if err != nil || !s.Without[s.n-1] {
			if s.Single {
				t.Label, _, _ = strings.Cut(t.Label, ",")
			}
			return err
		}
	}
}

// StoreWithout is the store of random labelled trees, but for some of them.
func StoreWithout(t *testing.T, kind index.Kind, seed uint64, without map[int]bool, single bool) (vfs.FS, *store.Store) {
	o := Options(t, vfs.NewMem(), 0, 0, SpacesOf(t, kind, "min-support=1,max-order=2")...)
	o.Source = func(s *index.Symbols) (index.Source, error) {
		var trees index.Source = NewSource(s, seed, 0, 12)
		if kind == index.Dependency {
			from := int(seed) * 12
			trees = &DependencySource{S: s, At: from, End: from + 12}
		}
		return &Some{&labelled{trees, rand.New(rand.NewPCG(seed, 3))}, without, single, 0}, nil
	}
	return o.FS, Build(t, o.FS, o)
}
