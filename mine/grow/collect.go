package grow

import (
	"context"

	"fstore/index"
	"fstore/store/posting"
)

// Task is what is done with the fragments of one range. It belongs to one
// goroutine.
type Task interface {
	// Visitor returns what sees the growth of the range, or of a part of it, within
	// limits.
	Visitor(ctx context.Context, l index.Limits) RangeVisitor
	// Counted is told what growth saw for a visitor.
	Counted(index.Counts)
	// Finish ends a range that was grown in full, Abort one that was not.
	Finish() error
	Abort()
}

// RangeVisitor is finished when growth without an error is over.
type RangeVisitor interface {
	index.Visitor
	Finish() error
}

// Sink receives the fragments of one range. It belongs to one goroutine.
type Sink interface {
	// Put gets kept fragments in ascending code order. Nothing of it may be kept.
	Put(c index.Code, order int, support uint32, occ Occurrences) error
	// Finish ends a range that was grown in full, Abort one that was not.
	Finish() error
	Abort()
}

// Into is the task of giving every fragment to a sink. counted is told what growth saw; it
// may be nil.
func Into(out Sink, counted func(index.Counts)) Task { return &collecting{out, counted} }

// collecting is the task of a range of which every fragment is kept.
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

// Occurrences are the samples of a fragment, as index.Batch has them.
type Occurrences struct{ Samples, counts, places []uint32 }

// AppendPosting appends the posting list.
func (o Occurrences) AppendPosting(dst []byte) []byte {
	return posting.Append(dst, o.Samples, o.counts, o.places)
}

// WithoutPlaces is what a store has that does not know places.
func (o Occurrences) WithoutPlaces() Occurrences {
	o.places = nil
	return o
}

// Total is the number of occurrences.
func (o Occurrences) Total() uint64 {
	if o.counts == nil {
		return uint64(len(o.Samples))
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
	ordered InOrder[*fragments]
}

// fragments are those kept of a batch.
type fragments struct {
	samples []uint32
	counts  []uint32 // beside the samples of a fragment, where some occur several times
	places  []uint32 // beside counts, where placed is set
	placed  bool
	items   []fragment
}

type fragment struct {
	sampleEnd uint32
	countEnd  uint32 // no further than that of the fragment before where it has no counts
	order     int
	support   uint32
	before    uint32 // of that, samples that were there before an append
}

func (f *fragments) Reset() {
	f.samples, f.counts, f.places, f.items = f.samples[:0], f.counts[:0], f.places[:0], f.items[:0]
}

func newCollector(ctx context.Context, l index.Limits, out Sink) *collector {
	return &collector{ctx: ctx, closed: l.Closed, ordered: InOrder[*fragments]{
		Fresh: func() *fragments { return &fragments{} },
		Emit: func(c index.Code, of *fragments, i int) error {
			it, last := &of.items[i], fragment{}
			if i > 0 {
				last = of.items[i-1]
			}
			occ := Occurrences{Samples: of.samples[last.sampleEnd:it.sampleEnd]}
			if it.countEnd > last.countEnd {
				occ.counts = of.counts[last.countEnd:it.countEnd]
				if of.placed {
					occ.places = of.places[last.countEnd:it.countEnd]
				}
			}
			return out.Put(c, it.order, it.support, occ)
		},
	}}
}

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
func (c *collector) begin(b *index.Batch) (*Waiting[*fragments], error) {
	if c.visits++; c.visits&0xFF == 0 {
		if err := c.ctx.Err(); err != nil {
			return nil, err
		}
	}
	w, err := c.ordered.Begin(b.Parent)
	if err == nil {
		w.Kept.placed = b.Places != nil
	}
	return w, err
}

// keepFragment keeps extension i of a batch, of whose samples so many were there before an
// append.
func keepFragment(w *Waiting[*fragments], b *index.Batch, i int, before uint32) {
	f := w.Kept
	w.Keep(b.SuffixOf(i))
	f.samples = append(f.samples, b.SamplesOf(i)...)
	if b.Occ[i] > b.Support[i] {
		f.counts = append(f.counts, b.CountsOf(i)...)
		f.places = append(f.places, b.PlacesOf(i)...)
	}
	f.items = append(f.items, fragment{uint32(len(f.samples)), uint32(len(f.counts)), b.OrderOf(i), b.Support[i], before})
}

func (c *collector) Finish() error { return c.ordered.Finish() }
