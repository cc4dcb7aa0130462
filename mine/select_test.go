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

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	gocmp "github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/association"
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
	labels := []string{"x", "y", "z"}
	if o.Positive != nil {
		labels = []string{*o.Positive}
	}
	n := float64(s.Meta().Samples)
	of := map[string]*roaring.Bitmap{}
	for _, label := range labels {
		bm, err := s.LabelBitmap(label)
		if err != nil {
			t.Fatal(err)
		}
		of[label] = bm
	}
	var tests []float64 // p-values of the fragments
	for _, f := range all {
		u := float64(len(f.samples))
		e := store.Entry{Code: f.code, Score: u, Stats: []float64{u, float64(f.occ)}}
		if o.By == "chi2" {
			e.Score = -1
			for k, label := range labels {
				bm := of[label]
				a, c := 0.0, float64(bm.GetCardinality())
				for _, id := range f.samples {
					if bm.Contains(id) {
						a++
					}
				}
				chi2 := association.Table{O11: a, O12: u - a, O21: c - a, O22: n - c - u + a}.ChiSquared()
				over := a > c/n*u
				better := chi2 > e.Score
				if chi2 == e.Score && over {
					better = e.Stats[3] <= e.Stats[4]
				}
				if better {
					e.Score, e.Stats = chi2, append(e.Stats[:2:2], float64(k), a, c/n*u, association.PValue(chi2))
				}
			}
		}
		tests = append(tests, association.PValue(e.Score)*float64(len(labels)))
		selected = append(selected, e)
	}
	if o.By == "chi2" {
		selected = significantOf(selected, tests, float64(len(labels)), o)
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

// significantOf keeps what passes; tests are the p-values of the fragments, corrected to
// the labels.
func significantOf(all []store.Entry, tests []float64, labels float64, o *SelectOptions) (kept []store.Entry) {
	m := float64(len(tests))
	ascending := slices.Sorted(slices.Values(tests))
	last := -1.0
	for k, p := range ascending {
		if o.Alpha != nil && p <= *o.Alpha*float64(k+1)/m {
			last = p
		}
	}
	for i, e := range all {
		pass := true
		switch {
		case o.Tau != nil:
			pass = e.Score >= *o.Tau
		case o.Alpha != nil && o.Correct == BonferroniCorrection:
			pass = association.PValue(e.Score) <= *o.Alpha/labels/m
		case o.Alpha != nil && o.Correct == FDRCorrection:
			pass = tests[i] <= last
		case o.Alpha != nil:
			pass = association.PValue(e.Score) <= *o.Alpha
		}
		if pass {
			kept = append(kept, e)
		}
	}
	return kept
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
		o.Correct = []Correction{NoCorrection, BonferroniCorrection, FDRCorrection}[r.IntN(3)]
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
