package mine

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"
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
// ranges. It serves building, where a range's fragments are loaded, verification, where
// they are compared, and selection, where they are judged.
type growth struct {
	ctx      context.Context
	space    index.Space
	limits   index.Limits
	weights  index.Weights
	syms     *index.Symbols
	roots    []root
	items    index.Items // all samples, sealed; nil to read ranges from st
	st       *store.Store
	samples  uint32
	without  *roaring.Bitmap // those of them that are passed over; nil: none
	workers  int
	memory   int64
	taskLoad uint64   // root occurrences that make a task, about
	most     uint64   // fragments, 0 for any number: where growth itself must end
	scratch  *scratch // nil where there is none to have
	progress index.Progress

	mu     sync.Mutex
	counts index.Counts
}

// run calls task for ranges that together hold every fragment, ascending; it is
// called in order, by one goroutine, and returns what the range's fragments go
// to, in a worker.
func (g *growth) run(task func(index.Range) (sink, error)) error {
	if g.byLevels() {
		return g.growLevels(task)
	}
	return g.ranges(func(r index.Range) (rangeTask, error) {
		out, err := task(r)
		return collecting{out}, err
	})
}

// ranges is run by ranges, whatever there is to do with them. Where task's error is
// errGrown the range is passed over.
func (g *growth) ranges(task func(index.Range) (rangeTask, error)) error {
	var total uint64
	for _, r := range g.roots {
		total += r.occ
	}
	g.progress.Step("mine "+g.space.ID(), "nodes", int64(total))
	if g.items != nil {
		return g.tasks(g.items, g.roots, endOf(g.roots, len(g.roots)), task)
	}
	return g.parts(g.roots, func(roots []root, canCut bool) (index.Items, error) {
		first, hi := roots[0].step.Packed(), g.endOf(roots)
		var second index.SecondSteps
		if s, ok := g.space.(index.Splitter); ok && len(roots) == 1 && g.limits.MaxOrder != 1 && roots[0].support >= g.limits.MinSupport {
			second = s.SecondSteps()
		}
		items, err := g.read(index.Range{Lo: first, Hi: hi}, g.limits, canCut || second != nil)
		if errors.Is(err, errShrink) && second != nil {
			return nil, g.split(second, roots[0], hi, task)
		}
		if err != nil {
			return nil, err
		}
		items.Seal()
		return items, g.tasks(items, roots, hi, task)
	})
}

// occurrenceBytes is what a root occurrence takes with what is below it, before
// anything was measured.
const occurrenceBytes = 64

// parts cuts steps into runs, each as long as memory allows, and calls f for each: with
// errShrink it asks for a shorter one. What f read says how much memory a step takes.
func (g *growth) parts(steps []root, f func(part []root, canCut bool) (index.Items, error)) error {
	perOcc := int64(occurrenceBytes)
	for len(steps) > 0 {
		n, load := 0, int64(0)
		for n < len(steps) && (n == 0 || (load+int64(steps[n].occ))*perOcc <= g.memory) {
			load += int64(steps[n].occ)
			n++
		}
		items, err := f(steps[:n], n > 1)
		if errors.Is(err, errShrink) {
			perOcc *= 2
			continue
		}
		if err != nil {
			return err
		}
		if items != nil {
			perOcc = max(items.Bytes()/max(load, 1), 1)
		}
		steps = steps[n:]
	}
	return nil
}

// endOf is where the range of consecutive roots ends.
func (g *growth) endOf(roots []root) uint64 {
	last := roots[len(roots)-1].step.Packed()
	at, _ := slices.BinarySearchFunc(g.roots, last, func(r root, p uint64) int { return cmp.Compare(r.step.Packed(), p) })
	return endOf(g.roots, at+1)
}

// split grows a root whose occurrences are too many to be held with all that is below
// them: first itself, then its extensions, by ranges of their second steps.
func (g *growth) split(second index.SecondSteps, r root, hi uint64, task func(index.Range) (rangeTask, error)) error {
	all := index.Range{Lo: r.step.Packed(), Hi: hi}
	out, err := task(all)
	if errors.Is(err, errGrown) {
		g.grown(int64(r.occ))
		return nil
	}
	if err != nil {
		return err
	}
	itself := g.limits
	itself.MaxOrder = 1
	items, err := g.read(all, itself, false)
	if err == nil {
		items.Seal()
		err = g.into(g.ctx, items, all, itself, out)
	}
	var steps []root
	if p, ok := out.(pruner); err == nil && !(ok && p.pruned()) {
		items = nil
		steps, err = g.secondSteps(second, all.Lo)
	}
	if err == nil {
		err = g.parts(steps, func(part []root, canCut bool) (index.Items, error) {
			within := all
			within.Lo2, within.Hi2 = part[0].step.Packed(), part[len(part)-1].step.Packed()+1
			items, err := g.read(within, g.limits, canCut)
			if err != nil {
				return nil, err
			}
			items.Seal()
			return items, g.into(g.ctx, items, within, g.limits, out)
		})
	}
	if err != nil {
		out.abort()
		return err
	}
	g.grown(int64(r.occ))
	return out.finish()
}

// pruner is implemented by tasks that may want nothing below the root of their range.
type pruner interface {
	// pruned says so, once the root was visited by itself.
	pruned() bool
}

// secondSteps lists the second steps behind a first one, ascending.
func (g *growth) secondSteps(list index.SecondSteps, first uint64) (steps []root, err error) {
	occ := map[uint64]uint64{}
	err = eachSample(g.st, g.samples, g.without, func(id uint32, t *index.Tree) error {
		list(t, first, func(second uint64) { occ[second]++ })
		if id&0xFF == 0 {
			return g.ctx.Err()
		}
		return nil
	})
	for _, s := range slices.Sorted(maps.Keys(occ)) {
		steps = append(steps, root{step: index.Unpack(s), occ: occ[s]})
	}
	return steps, err
}

// read collects what growth in r needs from the stored samples. Where that is
// over the budget and the range can be cut, it is errShrink.
func (g *growth) read(r index.Range, l index.Limits, canCut bool) (index.Items, error) {
	items := g.space.NewItems(g.syms)
	err := eachSample(g.st, g.samples, g.without, func(id uint32, t *index.Tree) error {
		items.Add(id, t, r, l)
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
func (g *growth) tasks(items index.Items, roots []root, hi uint64, task func(index.Range) (rangeTask, error)) error {
	pool, ctx := errgroup.WithContext(g.ctx)
	pool.SetLimit(g.workers)
	next := 0
	for _, r := range cut(roots, hi, g.taskLoad) {
		var load int64
		for ; next < len(roots) && roots[next].step.Packed() < r.Hi; next++ {
			load += int64(roots[next].occ)
		}
		if ctx.Err() != nil {
			break
		}
		out, err := task(r)
		if errors.Is(err, errGrown) {
			g.grown(load)
			continue
		}
		if err != nil {
			pool.Go(func() error { return err })
			break
		}
		pool.Go(func() error {
			if err := g.grow(ctx, items, r, out); err != nil {
				return err
			}
			g.grown(load)
			return nil
		})
	}
	if err := pool.Wait(); err != nil {
		return err
	}
	return g.ctx.Err()
}

// grown counts progress.
func (g *growth) grown(load int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.progress.Add(load)
}

func (g *growth) grow(ctx context.Context, items index.Items, r index.Range, out rangeTask) error {
	if err := g.into(ctx, items, r, g.limits, out); err != nil {
		out.abort()
		return err
	}
	return out.finish()
}

// into grows the fragments of a range into out, which may be given more of them.
func (g *growth) into(ctx context.Context, items index.Items, r index.Range, l index.Limits, out rangeTask) error {
	v := out.visitor(ctx, l)
	counts, err := g.space.Grow(items, r, g.weights, l, v)
	if err == nil {
		err = v.finish()
	}
	if err != nil {
		return err
	}
	out.counted(counts)
	g.saw(counts)
	return nil
}

// saw adds to what growth counted.
func (g *growth) saw(counts index.Counts) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.counts.Add(counts)
}

// errShrink says that a range needs more memory than there is.
var errShrink = errors.New("range too large for the budget")
