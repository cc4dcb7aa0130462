package gradient

import (
	"context"
	"errors"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/mine/grow"
)

// trees is the engine that works for every space. It mines by growing fragments, and counts and scores by
// matching them in one tree after another.
type trees struct {
	o        Options
	samples  uint32
	progress *progress
}

// mine implements engine.
func (e *trees) mine(ctx context.Context, side []uint8, c uint32, out *set) (counts index.Counts, err error) {
	limits := index.Limits{MinSupport: c + 1, MaxOrder: e.o.MaxOrder, NoSamples: true}
	items := e.o.Space.NewItems(e.o.Symbols)
	tally := &index.Tally{}
	t := new(index.Tree)
	for sample, s := range side {
		if s == 0 {
			continue
		}
		if err := e.o.Tree(uint32(sample), t); err != nil {
			return counts, err
		}
		e.o.Space.Tally(t, e.o.Symbols, uint32(sample), tally)
		items.Add(uint32(sample), t, index.All, limits)
	}
	items.Seal()
	return growRanges(ctx, tally, e.o.Workers, c, out, func(r index.Range, v index.Visitor) (index.Counts, error) {
		return items.Grow(r, index.Weights{Class: side}, limits, v)
	})
}

// maxRanges limits how many ranges `cut` returns. It does not depend on the number of workers.
const maxRanges = 64

// cut divides the first steps of codes into ranges with about the same number of occurrences.
func cut(t *index.Tally) (ranges []index.Range) {
	var total uint64
	t.Each(func(_ index.Step, occ, _ uint32) { total += uint64(occ) })
	r := index.Range{}
	var load uint64
	t.Each(func(s index.Step, occ, _ uint32) {
		load += uint64(occ)
		if r.Hi = s.Packed() + 1; load*maxRanges >= total*uint64(len(ranges)+1) {
			ranges = append(ranges, r)
			r.Lo = r.Hi
		}
	})
	return ranges
}

// sideVisitor keeps and extends the fragments in more than c gold samples or in more than c predicted
// samples.
type sideVisitor struct {
	ctx    context.Context
	c      float64
	kept   grow.InOrder[*sideCounts]
	pruned index.Counts // counts the fragments that have more than c samples in all, but at most c on each side
}

// sideCounts has the numbers of samples with each kept fragment of a batch, by side.
type sideCounts struct{ a, b []uint32 }

func (c *sideCounts) Reset() { c.a, c.b = c.a[:0], c.b[:0] }

func newSideVisitor(ctx context.Context, c uint32, to *rangeSet) *sideVisitor {
	return &sideVisitor{ctx: ctx, c: float64(c), kept: grow.InOrder[*sideCounts]{
		Fresh: func() *sideCounts { return &sideCounts{} },
		Emit:  func(c index.Code, of *sideCounts, i int) error { return to.add(&feature{c, of.a[i], of.b[i]}) },
	}}
}

// Visit implements index.Visitor.
func (v *sideVisitor) Visit(b *index.Batch) error {
	w, err := v.kept.Begin(b.Parent)
	if err != nil {
		return err
	}
	for i := range b.Len() {
		if max(b.A[i], b.B[i]) <= v.c {
			v.pruned.Count(b.OrderOf(i), 0, 1)
			continue
		}
		b.Descend[i] = true
		w.Keep(b.SuffixOf(i))
		w.Kept.a, w.Kept.b = append(w.Kept.a, uint32(b.A[i])), append(w.Kept.b, uint32(b.B[i]))
	}
	return v.ctx.Err()
}

// growRanges grows fragments in parallel. It calls grow once for each range of first steps.
func growRanges(ctx context.Context, tally *index.Tally, workers int, c uint32, out *set, grow func(index.Range, index.Visitor) (index.Counts, error)) (counts index.Counts, err error) {
	ranges := cut(tally)
	sets := make([]*rangeSet, len(ranges))
	for n := range sets {
		sets[n] = out.addRange()
	}
	var mu sync.Mutex
	err = eachRange(ctx, ranges, workers, out.progress, "mine", func(ctx context.Context, part int) error {
		n, err := sets[part].grow(ctx, ranges[part], c, grow)
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		counts.Add(n)
		return nil
	})
	return counts, err
}

// eachRange calls f in parallel for each index of ranges, and reports each range as a part of the stage.
func eachRange(ctx context.Context, ranges []index.Range, workers int, told *progress, stage string, f func(ctx context.Context, part int) error) error {
	pool, ctx := errgroup.WithContext(ctx)
	pool.SetLimit(workers)
	told.step(stage, "parts", len(ranges))
	for part := range ranges {
		pool.Go(func() error {
			defer told.add(1)
			return f(ctx, part)
		})
	}
	return pool.Wait()
}

// grow fills r with its features. If an earlier run has saved them, grow loads them.
func (r *rangeSet) grow(ctx context.Context, steps index.Range, c uint32, grow func(index.Range, index.Visitor) (index.Counts, error)) (counts index.Counts, err error) {
	r.begin()
	defer r.end()
	if counts, ok, err := r.of.keeper.loadPart(r.of.class, r.number, &r.stream, r.count); ok || err != nil {
		return counts, err
	}
	v := newSideVisitor(ctx, c, r)
	if counts, err = grow(steps, v); err != nil {
		return counts, err
	}
	counts.Add(v.pruned)
	if err := errors.Join(v.kept.Finish(), r.finish()); err != nil {
		return counts, err
	}
	return counts, r.of.keeper.savePart(r.of.class, r.number, &r.stream, counts)
}

// count implements engine.
func (e *trees) count(ctx context.Context, x *expansion.Index, side []uint8) (a, b []uint32, err error) {
	a, b = make([]uint32, x.Features()+1), make([]uint32, x.Features()+1)
	var mu sync.Mutex
	err = e.match(ctx, x, func(sample uint32) bool { return side[sample] != 0 }, func(sample uint32, hits []index.Hit) {
		mu.Lock()
		defer mu.Unlock()
		to := a
		if side[sample] == predictedSide {
			to = b
		}
		for i := range hits {
			to[hits[i].ID]++
		}
	})
	return a, b, err
}

// score implements engine.
func (e *trees) score(ctx context.Context, x *expansion.Index, change *change, by *sums) error {
	for k := range by.kinks { // made before the workers start, because they share the kinks
		by.kinks[k] = make([]float64, len(by.slope))
	}
	return e.match(ctx, x, nil, func(sample uint32, hits []index.Hit) {
		for i := range hits {
			m := change.motionOf(hits[i].ID)
			by.add(int(sample), &m, change)
		}
	})
}

// match calls f with the hits of each sample that isWanted accepts. Several goroutines call f.
func (e *trees) match(ctx context.Context, x *expansion.Index, isWanted func(sample uint32) bool, f func(sample uint32, hits []index.Hit)) error {
	var samples []uint32
	for s := range e.samples {
		if isWanted == nil || isWanted(s) {
			samples = append(samples, s)
		}
	}
	if x.Features() == 0 || len(samples) == 0 {
		return nil
	}
	e.progress.step("match", "trees", len(samples))
	pool, ctx := errgroup.WithContext(ctx)
	for part := range slices.Chunk(samples, (len(samples)+e.o.Workers-1)/e.o.Workers) {
		pool.Go(func() error {
			m := e.o.Space.NewMatcher(x, e.o.Symbols, 1)
			t := new(index.Tree)
			for _, s := range part {
				err := e.o.Tree(s, t)
				if err == nil {
					err = ctx.Err()
				}
				if err != nil {
					return err
				}
				hits, err := m.Match(t, 0)
				if err != nil {
					return err
				}
				f(s, hits)
				e.progress.add(1)
			}
			return nil
		})
	}
	return pool.Wait()
}
