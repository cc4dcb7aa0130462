package mine

import (
	"bytes"
	"context"
	"slices"

	"fstore/index"
	"fstore/store/posting"
)

// sink receives the fragments of one range. It belongs to one goroutine.
type sink interface {
	// put gets kept fragments in ascending code order. Nothing of it may be kept.
	put(c index.Code, order int, support uint32, occ occurrences) error
	// finish ends a range that was grown in full, abort one that was not.
	finish() error
	abort()
}

// occurrences are the samples of a fragment, as index.Batch has them.
type occurrences struct{ samples, counts []uint32 }

// appendPosting appends the posting list.
func (o occurrences) appendPosting(dst []byte) []byte {
	if o.counts != nil {
		return posting.AppendCounts(dst, o.samples, o.counts)
	}
	return posting.Append(dst, o.samples)
}

// total is the number of occurrences.
func (o occurrences) total() uint64 {
	if o.counts == nil {
		return uint64(len(o.samples))
	}
	n := uint64(0)
	for _, c := range o.counts {
		n += uint64(c)
	}
	return n
}

// judge sets b.Descend and says which extensions are kept.
type judge interface {
	// judge fills keep, which has b.Len() entries, and b.Descend.
	judge(b *index.Batch, keep []bool)
}

// collector turns batches into fragments in code order. A batch holds all
// extensions of one pattern, while in code order the descendants of the first
// come before the second: so what is kept waits, one pending batch a depth,
// until growth has passed it.
type collector struct {
	ctx     context.Context
	judge   judge
	visits  uint
	out     sink
	pending []*pending
	code    []byte
	keep    []bool
}

// pending is the kept extensions of one pattern that growth has not passed yet.
type pending struct {
	parent  []byte
	suffix  []byte
	samples []uint32
	counts  []uint32 // beside samples, where counted is set
	counted bool
	items   []pendingItem
	next    int
}

type pendingItem struct {
	suffixEnd, sampleEnd uint32
	order                int
	support              uint32
}

// Visit implements index.Visitor.
func (c *collector) Visit(b *index.Batch) error {
	if c.visits++; c.visits&0xFF == 0 {
		if err := c.ctx.Err(); err != nil {
			return err
		}
	}
	if err := c.passUpTo(b.Parent); err != nil {
		return err
	}
	c.keep = slices.Grow(c.keep[:0], b.Len())[:b.Len()]
	c.judge.judge(b, c.keep)
	p := c.push()
	p.parent = append(p.parent, b.Parent...)
	p.counted = b.Count != nil
	for i := range b.Len() {
		if !c.keep[i] {
			continue
		}
		p.suffix = append(p.suffix, b.SuffixOf(i)...)
		p.samples = append(p.samples, b.SamplesOf(i)...)
		p.counts = append(p.counts, b.CountsOf(i)...)
		p.items = append(p.items, pendingItem{uint32(len(p.suffix)), uint32(len(p.samples)), b.OrderOf(i), b.Support[i]})
	}
	return nil
}

// push returns an emptied pending batch for the next depth.
func (c *collector) push() *pending {
	n := len(c.pending)
	if n < cap(c.pending) {
		c.pending = c.pending[:n+1]
	} else {
		c.pending = append(c.pending, nil)
	}
	if c.pending[n] == nil {
		c.pending[n] = &pending{}
	}
	p := c.pending[n]
	p.parent, p.suffix, p.items, p.next = p.parent[:0], p.suffix[:0], p.items[:0], 0
	p.samples, p.counts = p.samples[:0], p.counts[:0]
	return p
}

// passUpTo emits what comes before the extensions of parent: all that is pending
// below other patterns, then, in the batch that holds parent, what is not above it.
func (c *collector) passUpTo(parent []byte) error {
	for len(c.pending) > 0 {
		p := c.pending[len(c.pending)-1]
		if len(parent) > len(p.parent) && bytes.HasPrefix(parent, p.parent) {
			return c.pass(p, parent[len(p.parent):])
		}
		if err := c.pass(p, nil); err != nil {
			return err
		}
		c.pending = c.pending[:len(c.pending)-1]
	}
	return nil
}

// pass emits p's items up to suffix, all of them where it is nil.
func (c *collector) pass(p *pending, suffix []byte) error {
	for ; p.next < len(p.items); p.next++ {
		it := &p.items[p.next]
		var from pendingItem
		if p.next > 0 {
			from = p.items[p.next-1]
		}
		s := p.suffix[from.suffixEnd:it.suffixEnd]
		if suffix != nil && bytes.Compare(s, suffix) > 0 {
			return nil
		}
		c.code = append(append(c.code[:0], p.parent...), s...)
		occ := occurrences{samples: p.samples[from.sampleEnd:it.sampleEnd]}
		if p.counted {
			occ.counts = p.counts[from.sampleEnd:it.sampleEnd]
		}
		if err := c.out.put(c.code, it.order, it.support, occ); err != nil {
			return err
		}
	}
	return nil
}

// finish emits what is still pending: growth of the range is over.
func (c *collector) finish() error {
	for len(c.pending) > 0 {
		if err := c.pass(c.pending[len(c.pending)-1], nil); err != nil {
			return err
		}
		c.pending = c.pending[:len(c.pending)-1]
	}
	return nil
}

// supportJudge keeps what growth visits, which has the support already; in
// closed mode only what is closed.
type supportJudge struct{ l index.Limits }

func (s supportJudge) judge(b *index.Batch, keep []bool) {
	for i := range keep {
		keep[i] = !s.l.Closed || b.Closed[i]
		b.Descend[i] = true
	}
}
