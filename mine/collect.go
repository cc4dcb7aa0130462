package mine

import (
	"context"

	"fstore/index"
	"fstore/store/posting"
)

// rangeTask is what is done with the fragments of one range. It belongs to one
// goroutine.
type rangeTask interface {
	// visitor returns what sees the growth of the range, or of a part of it, within
	// limits.
	visitor(ctx context.Context, l index.Limits) rangeVisitor
	// counted is what growth saw for a visitor.
	counted(index.Counts)
	// finish ends a range that was grown in full, abort one that was not.
	finish() error
	abort()
}

// rangeVisitor is finished when growth without an error is over.
type rangeVisitor interface {
	index.Visitor
	finish() error
}

// sink receives the fragments of one range. It belongs to one goroutine.
type sink interface {
	// put gets kept fragments in ascending code order. Nothing of it may be kept.
	put(c index.Code, order int, support uint32, occ occurrences) error
	// finish ends a range that was grown in full, abort one that was not.
	finish() error
	abort()
}

// collecting is the task of giving every fragment to a sink.
type collecting struct{ sink }

// counted implements rangeTask: growth adds up what is to be stored.
func (collecting) counted(index.Counts) {}

// visitor implements rangeTask.
func (t collecting) visitor(ctx context.Context, l index.Limits) rangeVisitor {
	return newCollector(ctx, l, t.sink)
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

// collector gives a sink every fragment that growth visits, which has the support
// already; in closed mode only what is closed.
type collector struct {
	ctx     context.Context
	closed  bool
	visits  uint
	ordered inOrder[*fragments]
}

// fragments are those kept of a batch.
type fragments struct {
	samples []uint32
	counts  []uint32 // beside samples, where counted is set
	counted bool
	items   []fragment
}

type fragment struct {
	sampleEnd uint32
	order     int
	support   uint32
	before    uint32 // of that, samples that were there before an append
}

func (f *fragments) reset() {
	f.samples, f.counts, f.items = f.samples[:0], f.counts[:0], f.items[:0]
}

func newCollector(ctx context.Context, l index.Limits, out sink) *collector {
	return &collector{ctx: ctx, closed: l.Closed, ordered: inOrder[*fragments]{
		fresh: func() *fragments { return &fragments{} },
		emit: func(c index.Code, of *fragments, i int) error {
			it, from := &of.items[i], uint32(0)
			if i > 0 {
				from = of.items[i-1].sampleEnd
			}
			occ := occurrences{samples: of.samples[from:it.sampleEnd]}
			if of.counted {
				occ.counts = of.counts[from:it.sampleEnd]
			}
			return out.put(c, it.order, it.support, occ)
		},
	}}
}

// Visit implements index.Visitor.
func (c *collector) Visit(b *index.Batch) error {
	w, err := c.begin(b)
	if err != nil {
		return err
	}
	for i := range b.Len() {
		b.Descend[i] = true
		if c.closed && !b.Closed[i] {
			continue
		}
		keepFragment(w, b, i, 0)
	}
	return nil
}

// begin returns what the extensions of a batch are kept in.
func (c *collector) begin(b *index.Batch) (*waiting[*fragments], error) {
	if c.visits++; c.visits&0xFF == 0 {
		if err := c.ctx.Err(); err != nil {
			return nil, err
		}
	}
	w, err := c.ordered.begin(b.Parent)
	if err == nil {
		w.kept.counted = b.Count != nil
	}
	return w, err
}

// keepFragment keeps extension i of a batch, of whose samples so many were there before an
// append.
func keepFragment(w *waiting[*fragments], b *index.Batch, i int, before uint32) {
	f := w.kept
	w.keep(b.SuffixOf(i))
	f.samples = append(f.samples, b.SamplesOf(i)...)
	f.counts = append(f.counts, b.CountsOf(i)...)
	f.items = append(f.items, fragment{uint32(len(f.samples)), b.OrderOf(i), b.Support[i], before})
}

func (c *collector) finish() error { return c.ordered.finish() }
