package mine

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"fstore/index"
	"fstore/store"
)

// budget counts fragments over all workers.
type budget struct {
	limit uint64
	n     atomic.Uint64
}

func newBudget(limit uint64) *budget { return &budget{limit: limit} }

// take counts n more fragments.
func (b *budget) take(n uint64) error {
	if all := b.n.Add(n); b.limit > 0 && all > b.limit {
		return tooMany(b.limit)
	}
	return nil
}

// growth grows the fragments of one space over stored or held samples, in
// ranges. It serves building, where a range's fragments are loaded, and
// verification, where they are compared.
type growth struct {
	ctx      context.Context
	space    index.Space
	limits   index.Limits
	syms     *index.Symbols
	roots    []root
	items    index.Items // all samples, sealed; nil to read ranges from st
	st       *store.Store
	samples  uint32
	workers  int
	memory   int64
	progress index.Progress

	mu     sync.Mutex
	counts index.Counts
}

// run calls task for ranges that together hold every fragment, ascending; it is
// called in order, by one goroutine, and returns what the range's fragments go
// to, in a worker.
func (g *growth) run(task func(index.Range) (sink, error)) error {
	var total uint64
	for _, r := range g.roots {
		total += r.occ
	}
	g.progress.Step("mine "+g.space.ID(), "nodes", int64(total))
	if g.items != nil {
		g.items.Seal()
		return g.tasks(g.items, g.roots, endOf(g.roots, len(g.roots)), task)
	}
	perOcc := int64(64) // bytes a root occurrence, before anything was measured
	for from := 0; from < len(g.roots); {
		to, load := from, int64(0)
		for to < len(g.roots) && (to == from || (load+int64(g.roots[to].occ))*perOcc <= g.memory) {
			load += int64(g.roots[to].occ)
			to++
		}
		items, err := g.read(index.Range{Lo: g.roots[from].step.Packed(), Hi: endOf(g.roots, to)}, to > from+1)
		if errors.Is(err, errShrink) {
			perOcc *= 2
			continue
		}
		if err != nil {
			return err
		}
		perOcc = max(items.Bytes()/max(load, 1), 1)
		items.Seal()
		if err := g.tasks(items, g.roots[from:to], endOf(g.roots, to), task); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// read collects what growth in r needs from the stored samples. Where that is
// over the budget and the range can be cut, it is errShrink.
func (g *growth) read(r index.Range, canCut bool) (index.Items, error) {
	items := g.space.NewItems(g.syms)
	err := g.st.Samples(0, g.samples, func(id uint32, t *index.Tree) error {
		items.Add(id, t, r, g.limits)
		if id&0xFF == 0 {
			if canCut && items.Bytes() > g.memory {
				return errShrink
			}
			return g.ctx.Err()
		}
		return nil
	})
	return items, err
}

// tasks cuts roots, which end at hi, into tasks and runs them.
func (g *growth) tasks(items index.Items, roots []root, hi uint64, task func(index.Range) (sink, error)) error {
	pool, ctx := errgroup.WithContext(g.ctx)
	pool.SetLimit(g.workers)
	next := 0
	for _, r := range cut(roots, hi) {
		var load int64
		for ; next < len(roots) && roots[next].step.Packed() < r.Hi; next++ {
			load += int64(roots[next].occ)
		}
		if ctx.Err() != nil {
			break
		}
		out, err := task(r)
		if err != nil {
			pool.Go(func() error { return err })
			break
		}
		pool.Go(func() error {
			if err := g.grow(ctx, items, r, out); err != nil {
				return err
			}
			g.mu.Lock()
			g.progress.Add(load)
			g.mu.Unlock()
			return nil
		})
	}
	if err := pool.Wait(); err != nil {
		return err
	}
	return g.ctx.Err()
}

func (g *growth) grow(ctx context.Context, items index.Items, r index.Range, out sink) error {
	c := &collector{ctx: ctx, judge: supportJudge{g.limits}, out: out}
	counts, err := g.space.Grow(items, r, index.Weights{}, g.limits, c)
	if err == nil {
		err = c.finish()
	}
	if err != nil {
		out.abort()
		return err
	}
	g.mu.Lock()
	g.counts.Add(counts)
	g.mu.Unlock()
	return out.finish()
}

// errShrink says that a range needs more memory than there is.
var errShrink = errors.New("range too large for the budget")
