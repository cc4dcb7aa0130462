package minetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/grow"
	"fstore/mine/judge"
	"fstore/mine/selection"
	"fstore/store"
	"fstore/store/posting"
)

// labelled gives random labels to the trees of a source.
type labelled struct {
	index.Source
	Rand *rand.Rand
}

func (l *labelled) Next(t *index.Tree) error {
	err := l.Source.Next(t)
	t.Label = []string{"", "x", "x", "y", "y", "z", "x,z"}[l.Rand.IntN(7)]
	return err
}

// LabelledStore holds a few random labelled trees of a kind, with the fragments of these
// spaces.
func LabelledStore(t *testing.T, kind index.Kind, seed uint64, args ...string) *store.Store {
	o := Options(t, vfs.NewMem(), 0, 0, args...)
	r := rand.New(rand.NewPCG(seed, 3))
	o.Source = func(s *index.Symbols) (index.Source, error) {
		var trees index.Source = NewSource(s, seed, 0, 10)
		if kind == index.Dependency {
			from := int(seed) * 10
			trees = &DependencySource{S: s, At: from, End: from + 10}
		}
		return &labelled{trees, r}, nil
	}
	return Build(t, o.FS, o)
}

// SpacesOf are the spaces of a kind, as --space has them.
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

// Whole is a fragment with the samples it occurs in.
type Whole struct {
	Code    index.Code
	Order   int
	Samples []uint32
	Occ     uint32
}

// AllFragments are the stored fragments of a space.
func AllFragments(t *testing.T, s *store.Store, info *store.SpaceInfo) (all []Whole) {
	space, err := grow.SpaceOf(s.Dir(), info)
	if err != nil {
		t.Fatal(err)
	}
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
		c := slices.Clone(it.Key())
		all = append(all, Whole{c, space.Order(c), ids, occ})
	}
	if err := it.Close(); err != nil {
		t.Fatal(err)
	}
	return all
}

// EntriesOf is what Select finds, without a store to write to.
func EntriesOf(t *testing.T, s *store.Store, o selection.Options) (all []store.Entry) {
	t.Helper()
	o.SetDefaults()
	r := &selection.Selection{Ctx: context.Background(), O: &o, St: s}
	if err := r.Choose(); err != nil {
		t.Fatal(err)
	}
	by, least, err := r.Objective()
	if err != nil {
		t.Fatal(err)
	}
	if x, ok := by.(*selection.Relevance); ok {
		by = selection.NewRelevance(x.Kernel, x.G, true) // as in a run that stores
	}
	return entriesBy(t, r, by, least)
}

// entriesBy is what an objective selects in a run.
func entriesBy(t *testing.T, r *selection.Selection, by judge.Objective, least float64) (all []store.Entry) {
	t.Helper()
	o := r.O
	at := &judge.Threshold{Least: least, Most: o.Top}
	p := judge.NewPass(by, r.From.Limits, at, grow.NewBudget(0))
	var parts []*holding
	task := judge.CountOnly
	if o.Top == 0 {
		task = func(index.Range) (judge.Entries, error) {
			parts = append(parts, &holding{})
			return parts[len(parts)-1], nil
		}
	}
	if err := r.From.Run(p, task); err != nil {
		t.Fatal(err)
	}
	if o.Top > 0 {
		slices.SortFunc(at.Best, func(a, b store.Entry) int { return slices.Compare(a.Code, b.Code) })
		return at.Best
	}
	for _, k := range parts {
		all = append(all, k.all...)
	}
	if r.Smallest != nil {
		var whole holding
		put := r.Smallest.Only(whole.Put)
		for i := range all {
			if err := put(&all[i]); err != nil {
				t.Fatal(err)
			}
		}
		return whole.all
	}
	if n := p.Saw.Kept(); n != uint64(len(all)) {
		t.Fatalf("%d counted, %d kept", n, len(all))
	}
	return all
}

// holding holds what it is given.
type holding struct{ all []store.Entry }

func (k *holding) Put(e *store.Entry) error {
	k.all = append(k.all, judge.CloneEntry(e))
	return nil
}

func (k *holding) Finish(judge.Explanation) error { return nil }

func (k *holding) Abort() {}

// PrintEntries is entries as text.
func PrintEntries(s *store.Store, info *store.SpaceInfo, all []store.Entry) string {
	space, err := grow.SpaceOf(s.Dir(), info)
	if err != nil {
		return err.Error()
	}
	syms, err := s.Symbols()
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for _, e := range all {
		fmt.Fprintf(&b, "%s %v %v %v\n", space.AppendText(nil, e.Code, syms), e.Score, e.Weight, e.Stats)
	}
	return b.String()
}

func At[T any](x T) *T { return &x }
