package grow

import (
	"context"

	"fstore/index"
	"fstore/store/posting"
)

// Task says what to do with the fragments of one range. It belongs to one goroutine.
type Task interface {
	// Visitor returns a visitor for the growth of the range, or of a part of it, within the limits l.
	Visitor(ctx context.Context, l index.Limits) RangeVisitor
	// Counted is called after each growth, with the counts of that growth.
	Counted(index.Counts)
	// Finish ends a range that was grown in full. Abort ends any other range.
	Finish() error
	Abort()
}

// RangeVisitor is a visitor whose Finish is called when growth ends without an error.
type RangeVisitor interface {
	index.Visitor
	Finish() error
}

// Sink receives the fragments of one range. It belongs to one goroutine.
type Sink interface {
	// Put gets the fragments in ascending code order, with their posting lists. It must not keep its
	// arguments.
	Put(c index.Code, order int, list []byte) error
	// Finish ends a range that was grown in full. Abort ends any other range.
	Finish() error
	Abort()
}

// Into returns a task that passes every fragment to a sink. onCounts, if not nil, gets the counts of growth.
func Into(out Sink, onCounts func(index.Counts)) Task { return &collecting{out, onCounts} }

type collecting struct {
	Sink
	counted func(index.Counts)
}

func (t *collecting) Counted(c index.Counts) {
	if t.counted != nil {
		t.counted(c)
	}
}

func (t *collecting) Visitor(ctx context.Context, l index.Limits) RangeVisitor {
	return newCollector(ctx, l, t.Sink)
}

// collector is a visitor that passes every visited fragment to a sink. In closed mode, it passes only closed
// fragments.
type collector struct {
	ctx     context.Context
	closed  bool
	visits  uint
	ordered InOrder[*fragments]
}

// fragments are the kept fragments of one batch, which wait for the sink.
type fragments struct {
	lists []byte
	items []fragment
}

type fragment struct {
	end    int // end of its posting list
	order  int
	before uint32 // how many samples with this fragment were there before an append
}

func (f *fragments) Reset() { f.lists, f.items = f.lists[:0], f.items[:0] }

func newCollector(ctx context.Context, l index.Limits, out Sink) *collector {
	return &collector{ctx: ctx, closed: l.Closed, ordered: InOrder[*fragments]{
		Fresh: func() *fragments { return &fragments{} },
		Emit: func(c index.Code, of *fragments, i int) error {
			from := 0
			if i > 0 {
				from = of.items[i-1].end
			}
			return out.Put(c, of.items[i].order, of.lists[from:of.items[i].end])
		},
	}}
}

func (c *collector) Visit(b *index.Batch) error {
	w, err := c.begin(b)
	if err != nil {
		return err
	}
	for i := range b.Len() {
		if b.Descend[i] = true; !c.closed || b.Closed[i] {
			keepFragment(w, b, i, 0)
		}
	}
	return nil
}

// begin returns the container for the kept extensions of a batch.
func (c *collector) begin(b *index.Batch) (*Waiting[*fragments], error) {
	if c.visits++; c.visits&0xFF == 0 {
		if err := c.ctx.Err(); err != nil {
			return nil, err
		}
	}
	return c.ordered.Begin(b.Parent)
}

// keepFragment puts extension i of a batch into w. In an append, oldSupport is the number of old samples with
// the extension.
func keepFragment(w *Waiting[*fragments], b *index.Batch, i int, oldSupport uint32) {
	var counts, places []uint32
	if b.Occ[i] > b.Support[i] {
		counts, places = b.CountsOf(i), b.PlacesOf(i)
	}
	f := w.Kept
	w.Keep(b.SuffixOf(i))
	f.lists = posting.Append(f.lists, b.SamplesOf(i), counts, places)
	f.items = append(f.items, fragment{len(f.lists), b.OrderOf(i), oldSupport})
}

func (c *collector) Finish() error { return c.ordered.Finish() }
