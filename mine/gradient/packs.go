package gradient

import (
	"context"
	"math/bits"
	"sync"

	"fstore/index"
	"fstore/index/expansion"
)

// packs is the engine for spaces that can pack trees (index.Packing). The candidates of a list make one pack,
// or several packs if one cannot contain them all.
type packs struct {
	all     index.Packs
	first   []uint32 // by pack: its first sample
	whole   []uint64 // by pack: the mask of all candidates of its list, or 0 if the list has several packs
	workers int

	progress *progress
}

// newPacks reads the lists of a problem into packs. It returns nil if packs cannot be used.
func newPacks(ctx context.Context, p *Problem, o *Options, told *progress) (engine, error) {
	space, ok := o.Space.(index.Packing)
	if !ok || p.Classes > 1 {
		return nil, nil
	}
	e := &packs{all: space.NewPacks(o.Symbols, o.MaxOrder), workers: o.Workers, progress: told}
	if e.all == nil {
		return nil, nil
	}
	o.Progress.Step("read", "lists", int64(len(p.Lists)))
	var trees []*index.Tree
	for i := range p.Lists {
		l := &p.Lists[i]
		for from := l.From; from < l.To; from += index.MaxPack {
			n := int(min(l.To-from, index.MaxPack))
			for len(trees) < n {
				trees = append(trees, new(index.Tree))
			}
			for k, t := range trees[:n] {
				if err := o.Tree(from+uint32(k), t); err != nil {
					return nil, err
				}
			}
			e.all.Add(trees[:n])
			e.first = append(e.first, from)
			whole := uint64(0)
			if l.To-l.From <= index.MaxPack {
				whole = 1<<n - 1
			}
			e.whole = append(e.whole, whole)
		}
		o.Progress.Add(1)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	e.all.Seal()
	return e, nil
}

// sides returns which samples of each pack are on side A (gold) and which on side B (predicted).
func (e *packs) sides(side []uint8) []index.Sides {
	sides := make([]index.Sides, len(e.first))
	for p, from := range e.first {
		to := min(int(from)+index.MaxPack, len(side))
		if p+1 < len(e.first) {
			to = min(to, int(e.first[p+1]))
		}
		for k, s := range side[from:to] {
			switch s {
			case goldSide:
				sides[p].A |= 1 << k
			case predictedSide:
				sides[p].B |= 1 << k
			}
		}
	}
	return sides
}

// mine implements engine.
func (e *packs) mine(ctx context.Context, side []uint8, c uint32, out *set) (counts index.Counts, err error) {
	frequent := e.all.Frequent(e.sides(side), c)
	tally := &index.Tally{}
	frequent.Tally(tally)
	return growRanges(ctx, tally, e.workers, c, out, frequent.Grow)
}

// count implements engine.
func (e *packs) count(ctx context.Context, x *expansion.Index, side []uint8) (a, b []uint32, err error) {
	a, b = make([]uint32, x.Features()+1), make([]uint32, x.Features()+1)
	sides := e.sides(side)
	err = e.follow(ctx, x, sides, "count", func(_ int, each func(func(*index.PackHits)) error) error {
		return each(func(h *index.PackHits) {
			for i, id := range h.ID {
				on := &sides[h.Pack[i]]
				if h.Mask[i]&on.A != 0 {
					a[id]++
				}
				if h.Mask[i]&on.B != 0 {
					b[id]++
				}
			}
		})
	})
	return a, b, err
}

// follow calls f in parallel for the parts of x's fragments. f gets a loop over the hits of its part. Samples
// without a side count only if sides is nil.
func (e *packs) follow(ctx context.Context, x *expansion.Index, sides []index.Sides, stage string, f func(part int, each func(func(*index.PackHits)) error) error) error {
	stored := e.all.Stored(sides, x)
	tally := &index.Tally{}
	stored.Tally(tally)
	ranges := cut(tally)
	return eachRange(ctx, ranges, e.workers, e.progress, stage, func(ctx context.Context, part int) error {
		defer x.Release() // parts share few pages, so other goroutines need few of the released pages again
		return f(part, func(g func(*index.PackHits)) error {
			return stored.Follow(ranges[part], func(h *index.PackHits) error {
				g(h)
				return ctx.Err()
			})
		})
	})
}

// score implements engine. It adds up the parts in order, so the result does not depend on the number of
// workers.
func (e *packs) score(ctx context.Context, x *expansion.Index, change *change, by *sums) error {
	ordered := &orderedSums{by: by, wait: map[int]*sums{}}
	return e.follow(ctx, x, nil, "score", func(part int, each func(func(*index.PackHits)) error) error {
		defer change.release() // for the same reason as in follow
		to := ordered.begin()
		err := each(func(h *index.PackHits) { e.add(h, change, to) })
		ordered.end(part, to)
		return err
	})
}

// add adds the score changes of candidates to the sums. Slopes (see sums) are whole numbers, so the order in
// which they are added does not matter.
func (e *packs) add(h *index.PackHits, change *change, to *sums) {
	var gathered uint64
	var together float64 // the sum of the slopes for the mask in the variable gathered
	var last uint32      // the pack of the mask gathered
	for i, id := range h.ID {
		pack, mask := h.Pack[i], h.Mask[i]
		if mask == e.whole[pack] {
			continue // all candidates of the list have the fragment, and only differences matter
		}
		first := int(e.first[pack])
		by := change.motionOf(id)
		if by.kink < change.steps[0] {
			for ; mask != 0; mask &= mask - 1 {
				to.add(first+bits.TrailingZeros64(mask), &by, change)
			}
			continue
		}
		switch slope := by.slope; {
		case pack == last && mask == gathered:
			together += slope
		case pack == last && mask < gathered:
			to.addSlope(first, mask, slope)
		default:
			to.addSlope(int(e.first[last]), gathered, together)
			last, gathered, together = pack, mask, slope
		}
	}
	to.addSlope(int(e.first[last]), gathered, together)
}

// orderedSums joins the sums of ranges in the order of the ranges.
type orderedSums struct {
	mu   sync.Mutex
	next int
	wait map[int]*sums
	free []*sums
	by   *sums
}

// begin returns sums for a range, all 0.
func (t *orderedSums) begin() *sums {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := len(t.free); n > 0 {
		s := t.free[n-1]
		t.free = t.free[:n-1]
		return s
	}
	return newSums(len(t.by.slope), len(t.by.kinks))
}

// end adds the sums of one range, after those of all earlier ranges.
func (t *orderedSums) end(part int, s *sums) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wait[part] = s
	for s := t.wait[t.next]; s != nil; s = t.wait[t.next] {
		t.by.join(s)
		t.free = append(t.free, s)
		delete(t.wait, t.next)
		t.next++
	}
}
