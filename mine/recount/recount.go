// Package recount counts fragments again in the stored trees.
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

// Counts has the support and the occurrences of fragments. Index i is for feature id i + 1.
type Counts struct {
	Support     []uint32
	Occurrences []float64
}

// New returns counts of 0 for all features of an index.
func New(x *expansion.Index) *Counts {
	return &Counts{make([]uint32, x.Features()), make([]float64, x.Features())}
}

// Add adds the matches in one sample. The order of samples makes no difference, since occurrences are whole
// numbers.
func (n *Counts) Add(hits []index.Hit) {
	for i := range hits {
		h := &hits[i]
		n.Support[h.ID-1]++
		n.Occurrences[h.ID-1] += h.Match.Count
	}
}

const recountBlock = 0x100

// Run matches the fragments of an expansion index in the first samples of a store.
type Run struct {
	St      *store.Store
	Space   index.Space
	Syms    *index.Symbols
	X       *expansion.Index
	Samples uint32
	Without *roaring.Bitmap // samples that are skipped; nil: none
	Workers int
	// Hit is called for each feature in each sample, one call at a time. The order of samples is not fixed.
	// Hit may be nil.
	Hit      func(h *index.Hit, sample uint32)
	Progress index.Progress
}

// Count counts every feature. The counts do not depend on the number of workers.
func (r *Run) Count(ctx context.Context) (*Counts, error) {
	r.Progress.Step("count "+r.Space.ID(), "samples", int64(r.Samples))
	all, progress := New(r.X), index.OneAtATime(r.Progress)
	var next atomic.Uint64 // next sample that no worker has taken
	var mu sync.Mutex      // guards all and Hit
	pool, ctx := errgroup.WithContext(ctx)
	for range index.Workers(r.Workers) {
		pool.Go(func() error {
			match := r.Space.NewMatcher(r.X, r.Syms, 1) // counts do not depend on the decay
			for {
				from := next.Add(recountBlock) - recountBlock
				if from >= uint64(r.Samples) {
					return nil
				}
				to := min(from+recountBlock, uint64(r.Samples))
				err := r.St.Samples(uint32(from), uint32(to), func(sample uint32, t *index.Tree) error {
					if r.Without != nil && r.Without.Contains(sample) {
						return nil
					}
					hits, err := match.Match(t, 0)
					if err != nil {
						return fmt.Errorf("sample %s: %w", t.Name, err)
					}
					mu.Lock()
					defer mu.Unlock()
					all.Add(hits)
					for i := 0; r.Hit != nil && i < len(hits); i++ {
						r.Hit(&hits[i], sample)
					}
					return ctx.Err()
				})
				if err != nil {
					return err
				}
				progress.Add(int64(to - from))
			}
		})
	}
	return all, pool.Wait()
}
