package minetest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/store"
	"fstore/store/posting"
)

// Labelled gives random labels to the trees of a source.
type Labelled struct {
	index.Source
	Rand *rand.Rand
}

func (l *Labelled) Next(t *index.Tree) error {
	err := l.Source.Next(t)
	t.Label = []string{"", "x", "x", "y", "y", "z", "x,z"}[l.Rand.IntN(7)]
	return err
}

// LabelledStore returns a store of a few random labelled trees of a kind, with the fragments of the spaces in
// args.
func LabelledStore(t *testing.T, kind index.Kind, seed uint64, args ...string) *store.Store {
	o := Options(t, vfs.NewMem(), 0, 0, args...)
	r := rand.New(rand.NewPCG(seed, 3))
	o.Source = func(s *index.Symbols) (index.Source, error) {
		var trees index.Source = NewSource(s, seed, 0, 10)
		if kind == index.Dependency {
			from := int(seed) * 10
			trees = &DependencySource{S: s, At: from, End: from + 10}
		}
		return &Labelled{trees, r}, nil
	}
	return Build(t, o.FS, o)
}

// SpacesOf returns the names of all spaces of a kind, as in the option --space.
func SpacesOf(t *testing.T, kind index.Kind, options string) (all []string) {
	for _, name := range spaces.Names() {
		r, err := spaces.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		if r.CheckKind(kind) == nil {
			all = append(all, name+":"+options)
		}
	}
	return all
}

// Whole is a fragment with the samples in which it occurs.
type Whole struct {
	Code    index.Code
	Order   int
	Samples []uint32
	Occ     uint32
}

// AllFragments returns the stored fragments of a space.
func AllFragments(t *testing.T, s *store.Store, info *store.SpaceInfo) (all []Whole) {
	it, err := s.Iter(info.Number, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for it.Next() {
		ids, err := posting.IDs(it.Value(), s.Meta().Samples, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, occ, _ := posting.Header(it.Value())
		c := index.Code(slices.Clone(it.Key()))
		all = append(all, Whole{c, c.Len(), ids, occ})
	}
	if err := it.Close(); err != nil {
		t.Fatal(err)
	}
	return all
}

func At[T any](x T) *T { return &x }
