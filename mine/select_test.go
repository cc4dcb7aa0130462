package mine

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	gocmp "github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/store"
	"fstore/store/posting"
)

// labelled gives random labels to the trees of a source.
type labelled struct {
	index.Source
	r *rand.Rand
}

func (l *labelled) Next(t *index.Tree) error {
	err := l.Source.Next(t)
	t.Label = []string{"", "x", "x", "y", "y", "z", "x,z"}[l.r.IntN(7)]
	return err
}

// labelledStore holds a few random labelled trees of a kind, with the fragments of these
// spaces.
func labelledStore(t *testing.T, kind index.Kind, seed uint64, args ...string) *store.Store {
	o := options(t, vfs.NewMem(), 0, 0, args...)
	r := rand.New(rand.NewPCG(seed, 3))
	o.Source = func(s *index.Symbols) (index.Source, error) {
		var trees index.Source = newSource(s, seed, 0, 10)
		if kind == index.Dependency {
			from := int(seed) * 10
			trees = &dependencySource{s: s, next: from, end: from + 10}
		}
		return &labelled{trees, r}, nil
	}
	return build(t, o.FS, o)
}

// spacesOf are the spaces of a kind, as --space has them.
func spacesOf(t *testing.T, kind index.Kind, options string) (all []string) {
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

// whole is a fragment with the samples it occurs in.
type whole struct {
	code    index.Code
	order   int
	samples []uint32
	occ     uint32
}

// allFragments are the stored fragments of a space.
func allFragments(t *testing.T, s *store.Store, info *store.SpaceInfo) (all []whole) {
	space, err := spaceOf(s.Dir(), info)
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
		all = append(all, whole{c, space.Order(c), ids, occ})
	}
	if err := it.Close(); err != nil {
		t.Fatal(err)
	}
	return all
}

// obvious selects by the definitions: every fragment is looked at.
func obvious(t *testing.T, s *store.Store, all []whole, o *SelectOptions) (selected []store.Entry) {
	if o.By == "chi2" {
		selected = significantOf(all, classesOf(t, s, o.Positive), s.Meta().Samples, o)
	} else {
		for _, f := range all {
			u := float64(len(f.samples))
			selected = append(selected, store.Entry{Code: f.code, Score: u, Stats: []float64{u, float64(f.occ)}})
		}
	}
	if o.Top > 0 {
		slices.SortFunc(selected, func(a, b store.Entry) int {
			return cmp.Or(cmp.Compare(math.Abs(b.Score), math.Abs(a.Score)), slices.Compare(a.Code, b.Code))
		})
		selected = selected[:min(o.Top, len(selected))]
		slices.SortFunc(selected, func(a, b store.Entry) int { return slices.Compare(a.Code, b.Code) })
	}
	return selected
}

// entriesOf is what Select finds, without a store to write to.
func entriesOf(t *testing.T, s *store.Store, o SelectOptions) (all []store.Entry) {
	t.Helper()
	o.setDefaults()
	r := &selection{ctx: context.Background(), o: &o, st: s}
	if err := r.choose(); err != nil {
		t.Fatal(err)
	}
	by, least, err := r.objective()
	if err != nil {
		t.Fatal(err)
	}
	if x, ok := by.(*Relevance); ok {
		by = NewRelevance(x.kernel, x.g, true) // as in a run that stores
	}
	return entriesBy(t, r, by, least)
}

// entriesBy is what an objective selects in a run.
func entriesBy(t *testing.T, r *selection, by Objective, least float64) (all []store.Entry) {
	t.Helper()
	o := r.o
	at := &threshold{least: least, most: o.Top}
	p := newPass(by, r.from.limits, at, newBudget(0))
	var parts []*holding
	task := countOnly
	if o.Top == 0 {
		task = func(index.Range) (entries, error) {
			parts = append(parts, &holding{})
			return parts[len(parts)-1], nil
		}
	}
	if err := r.from.run(p, task); err != nil {
		t.Fatal(err)
	}
	if o.Top > 0 {
		slices.SortFunc(at.best, func(a, b store.Entry) int { return slices.Compare(a.Code, b.Code) })
		return at.best
	}
	for _, k := range parts {
		all = append(all, k.all...)
	}
	if r.smallest != nil {
		var whole holding
		put := r.smallest.only(whole.put)
		for i := range all {
			if err := put(&all[i]); err != nil {
				t.Fatal(err)
			}
		}
		return whole.all
	}
	if n := p.saw.kept(); n != uint64(len(all)) {
		t.Fatalf("%d counted, %d kept", n, len(all))
	}
	return all
}

// holding holds what it is given.
type holding struct{ all []store.Entry }

func (k *holding) put(e *store.Entry) error {
	k.all = append(k.all, cloneEntry(e))
	return nil
}

func (k *holding) finish(Explanation) error { return nil }
func (k *holding) abort()                   {}

// printEntries is entries as text.
func printEntries(s *store.Store, info *store.SpaceInfo, all []store.Entry) string {
	space, err := spaceOf(s.Dir(), info)
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

func at[T any](x T) *T { return &x }

// randomOptions are options of Select for a space, and how many it should be of.
func randomOptions(r *rand.Rand, space string) SelectOptions {
	o := SelectOptions{Space: space, By: "chi2", MinSupport: at(uint32(1 + r.IntN(3))), MaxOrder: at(1 + r.IntN(3))}
	if r.IntN(3) == 0 {
		o.Positive = at([]string{"x", "y"}[r.IntN(2)])
	}
	switch r.IntN(6) {
	case 0:
		o.By, o.Positive = "support", nil
		o.Top = r.IntN(10)
	case 1:
		o.Tau = at([]float64{0, 1, 2, 3.84, 6.63}[r.IntN(5)])
	case 2:
		o.Top = 1 + r.IntN(30)
		if r.IntN(2) == 0 {
			o.Tau = at(2.0)
		}
	default:
		o.Alpha = at([]float64{.001, .05, .2, .5, .9}[r.IntN(5)])
		o.Correct = []Correction{NoCorrection, BonferroniCorrection, FDRCorrection, TaroneCorrection, WestfallYoungCorrection}[r.IntN(5)]
		if o.Correct == WestfallYoungCorrection {
			o.Alpha, o.Permutations, o.Seed = at([]float64{.1, .2, .5, .9}[r.IntN(4)]), 19, r.Uint64N(9)
		}
	}
	return o
}

// A selection is what the definitions select, in every space, scanned or grown, within
// what is stored or beyond it.
func TestSelectIsBruteForce(t *testing.T) {
	for _, kind := range []index.Kind{index.Constituency, index.Dependency} {
		t.Run(kind.String(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(kind)))
			found := 0
			for seed := range uint64(treebanks) {
				s := labelledStore(t, kind, seed, spacesOf(t, kind, "min-support=1,max-order=3")...)
				if labels, err := s.Labels(); err != nil || len(labels) != 3 {
					continue
				}
				for i := range s.Meta().Spaces {
					info := &s.Meta().Spaces[i]
					o := randomOptions(r, info.ID)
					all := slices.DeleteFunc(allFragments(t, s, info), func(f whole) bool {
						return f.order > *o.MaxOrder || len(f.samples) < int(*o.MinSupport)
					})
					want := printEntries(s, info, obvious(t, s, all, &o))
					found += strings.Count(want, "\n")
					for _, grow := range []bool{false, true} {
						o.forceGrowth = grow
						if got := printEntries(s, info, entriesOf(t, s, o)); got != want {
							t.Fatalf("seed %d, grown %v, %+v: %s", seed, grow, o, gocmp.Diff(want, got))
						}
					}
				}
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			}
			if found < 10*treebanks {
				t.Errorf("%d fragments selected in all", found)
			}
		})
	}
}
