package mine

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

// recounted are the support and the occurrences of fragments, by feature id less 1, as
// matching them in samples gives them.
type recounted struct {
	support     []uint32
	occurrences []float64
}

func newRecounted(x *expansion.Index) *recounted {
	return &recounted{make([]uint32, x.Features()), make([]float64, x.Features())}
}

// add counts what is in one sample. The sums are exact, in any order of samples: occurrences
// are whole numbers.
func (n *recounted) add(hits []index.Hit) {
	for i := range hits {
		h := &hits[i]
		n.support[h.ID-1]++
		n.occurrences[h.ID-1] += h.Match.Count
	}
}

// recountBlock is how many samples a worker takes at a time.
const recountBlock = 0x100

// recounting matches the fragments of an expansion index in the first samples of a store.
type recounting struct {
	st      *store.Store
	space   index.Space
	syms    *index.Symbols
	x       *expansion.Index
	samples uint32
	without *roaring.Bitmap // samples that are passed over; nil is none
	workers int
	// hit is called for each feature and sample that it occurs in: the samples in any order,
	// but one after another. Nil is nothing to call.
	hit      func(h *index.Hit, sample uint32)
	progress index.Progress

	next atomic.Uint64 // sample that no worker has taken
	mu   sync.Mutex    // of all, of hit, and of progress
	all  *recounted
}

func (r *recounting) run(ctx context.Context) (*recounted, error) {
	r.progress.Step("count "+r.space.ID(), "samples", int64(r.samples))
	r.all = newRecounted(r.x)
	pool, ctx := errgroup.WithContext(ctx)
	for range r.workers {
		pool.Go(func() error { return r.work(ctx) })
	}
	return r.all, pool.Wait()
}

// work takes samples until there are no more.
func (r *recounting) work(ctx context.Context) error {
	match := r.space.NewMatcher(r.x, r.syms, 1) // the decay has no part in counts
	for {
		to := r.next.Add(recountBlock)
		from := to - recountBlock
		if from >= uint64(r.samples) {
			return nil
		}
		to = min(to, uint64(r.samples))
		err := r.st.Samples(uint32(from), uint32(to), func(sample uint32, t *index.Tree) error {
			if r.without != nil && r.without.Contains(sample) {
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
func (r *recounting) done(samples int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.progress.Add(samples)
}

func (r *recounting) add(hits []index.Hit, sample uint32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all.add(hits)
	if r.hit == nil {
		return
	}
	for i := range hits {
		r.hit(&hits[i], sample)
	}
}
