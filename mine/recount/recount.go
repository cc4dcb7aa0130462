// Package recount counts fragments anew over the stored trees.
package recount

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"
	"golang.org/x/sync/errgroup"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/store"
)

// Counts are the support and the occurrences of fragments, by feature id less 1, as
// matching them in samples gives them.
type Counts struct {
	Support     []uint32
	Occurrences []float64
}

// New is counts of nothing, with room for the features of an index.
func New(x *expansion.Index) *Counts {
	return &Counts{make([]uint32, x.Features()), make([]float64, x.Features())}
}

// Add counts what is in one sample. The sums are exact, in any order of samples: occurrences
// are whole numbers.
func (n *Counts) Add(hits []index.Hit) {
	for i := range hits {
		h := &hits[i]
		n.Support[h.ID-1]++
		n.Occurrences[h.ID-1] += h.Match.Count
	}
}

// recountBlock is how many samples a worker takes at a time.
const recountBlock = 0x100

// Run matches the fragments of an expansion index in the first samples of a store.
type Run struct {
	St      *store.Store
	Space   index.Space
	Syms    *index.Symbols
	X       *expansion.Index
	Samples uint32
	Without *roaring.Bitmap // samples that are passed over; nil is none
	Workers int
	// Hit is called for each feature and sample that it occurs in: the samples in any order,
	// but one after another. Nil is nothing to call.
	Hit      func(h *index.Hit, sample uint32)
	Progress index.Progress

	next atomic.Uint64 // sample that no worker has taken
	mu   sync.Mutex    // of all, of hit, and of progress
	all  *Counts
}

// Count counts every feature in the stored samples. The counts do not depend on the number of
// workers.
func (r *Run) Count(ctx context.Context) (*Counts, error) {
	r.Progress.Step("count "+r.Space.ID(), "samples", int64(r.Samples))
	r.all = New(r.X)
	pool, ctx := errgroup.WithContext(ctx)
	for range index.Workers(r.Workers) {
		pool.Go(func() error { return r.work(ctx) })
	}
	return r.all, pool.Wait()
}

// work takes samples until there are no more.
func (r *Run) work(ctx context.Context) error {
	match := r.Space.NewMatcher(r.X, r.Syms, 1) // the decay has no part in counts
	for {
		to := r.next.Add(recountBlock)
		from := to - recountBlock
		if from >= uint64(r.Samples) {
			return nil
		}
		to = min(to, uint64(r.Samples))
		err := r.St.Samples(uint32(from), uint32(to), func(sample uint32, t *index.Tree) error {
			if r.Without != nil && r.Without.Contains(sample) {
				return nil
			}
			hits, err := match.Match(t, 0)
			if err != nil {
				return fmt.Errorf("sample %s: %w", t.Name, err)
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			r.add(hits, sample)
			return nil
		})
		if err != nil {
			return err
		}
		r.done(int64(to - from))
	}
}

// done counts progress.
func (r *Run) done(samples int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Progress.Add(samples)
}

func (r *Run) add(hits []index.Hit, sample uint32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all.Add(hits)
	if r.Hit == nil {
		return
	}
	for i := range hits {
		r.Hit(&hits[i], sample)
	}
}
