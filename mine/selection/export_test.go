package selection

import (
	"context"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/mine/judge"
	"fstore/store"
)

// SetForceGrowth makes a run grow fragments even if it could scan them.
func (o *Options) SetForceGrowth(force bool) { o.forceGrowth = force }

// Within returns a copy of x that keeps only p-values of at most `level`.
func (x *ChiSquared) Within(level float64) *ChiSquared { return x.atLevel(level) }

// Tests returns how many hypotheses belong to a fragment.
func (x *ChiSquared) Tests() int { return x.tests }

// PermutedSizes has the sizes of what LevelPermuted kept in memory.
type PermutedSizes struct {
	LabelSets, Rooms int
	Bytes            int64 // of blocks, at most
}

// LevelPermuted sorts the least p-values of all permutations of the samples, and returns the one at index
// `allowed`.
func LevelPermuted(s *store.Store, o *Options, x *ChiSquared, permutations, allowed int, memory int64) (level float64, sizes PermutedSizes, err error) {
	r := &run{ctx: context.Background(), o: o, st: s}
	if err := r.choose(); err != nil {
		return 0, sizes, err
	}
	units, err := r.permutable(x, PermuteSamples)
	if err != nil {
		return 0, sizes, err
	}
	p := newPermuted(x, r.From.Limits.Closed, units, permutations, allowed)
	err = p.run(r.From, r.o.Seed, memory)
	sizes.LabelSets = len(units.classes)
	sizes.Bytes = int64(2*cap(p.sets) + 8*cap(p.sizes))
	for range cap(p.rooms) {
		if counts := <-p.rooms; counts != nil {
			sizes.Rooms++
			sizes.Bytes += int64(4 * cap(counts))
		}
	}
	return p.ranked(), sizes, err
}

// EntriesOf returns the entries that Select finds, without writing to a store.
func EntriesOf(t *testing.T, s *store.Store, o Options) (all []store.Entry) {
	t.Helper()
	o.SetDefaults()
	r := &run{ctx: context.Background(), o: &o, st: s}
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

// entriesBy returns the entries that an objective selects in a run.
func entriesBy(t *testing.T, r *run, by judge.Objective, least float64) (all []store.Entry) {
	t.Helper()
	o := r.o
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
	if r.smallest != nil {
		var whole holding
		put := r.smallest.filter(whole.Put)
		for i := range all {
			if err := put(&all[i]); err != nil {
				t.Fatal(err)
			}
		}
		return whole.all
	}
	if n := p.Saw.Total().Kept; n != uint64(len(all)) {
		t.Fatalf("%d counted, %d kept", n, len(all))
	}
	return all
}

// holding keeps the entries that are put into it.
type holding struct{ all []store.Entry }

func (k *holding) Put(e *store.Entry) error {
	k.all = append(k.all, judge.CloneEntry(e))
	return nil
}

func (k *holding) Finish(judge.Explanation) error { return nil }

func (k *holding) Abort() {}

// Found returns the entries that chi2 selects in a store, and the line that explains the selection. The
// samples in `classes` take the place of the store's labels.
func Found(t *testing.T, s *store.Store, o Options, classes []*roaring.Bitmap) (all []store.Entry, said string) {
	t.Helper()
	o.By = "chi2"
	o.SetDefaults()
	r := &run{ctx: context.Background(), o: &o, st: s}
	if err := r.choose(); err != nil {
		t.Fatal(err)
	}
	x, _, err := r.leastChiSquared(NewChiSquared(s.Meta().Samples, o.Without, classes))
	if err != nil {
		t.Fatal(err)
	}
	return entriesBy(t, r, x, 0), r.reason
}
