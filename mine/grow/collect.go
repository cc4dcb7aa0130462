package grow

import (
	"context"

	"fstore/index"
	"fstore/store/posting"
)

// Task is what is done with the fragments of one range. It belongs to one
// goroutine.
type Task interface {
	// visitor returns what sees the growth of the range, or of a part of it, within
	// limits.
	Visitor(ctx context.Context, l index.Limits) RangeVisitor
	// counted is what growth saw for a visitor.
	Counted(index.Counts)
	// finish ends a range that was grown in full, abort one that was not.
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
	// put gets kept fragments in ascending code order. Nothing of it may be kept.
	Put(c index.Code, order int, support uint32, occ Occurrences) error
	// finish ends a range that was grown in full, abort one that was not.
	Finish() error
	Abort()
}

// Collecting is the task of giving every fragment to a sink.
type Collecting struct{ Sink }

// Counted implements Task: growth adds up what is to be stored.
func (Collecting) Counted(index.Counts) {}

// Visitor implements Task.
func (t Collecting) Visitor(ctx context.Context, l index.Limits) RangeVisitor {
	return NewCollector(ctx, l, t.Sink)
}

// Occurrences are the samples of a fragment, as index.Batch has them.
type Occurrences struct{ Samples, counts, places []uint32 }

// AppendPosting appends the posting list.
func (o Occurrences) AppendPosting(dst []byte) []byte {
	if o.counts != nil {
		return posting.AppendCounts(dst, o.Samples, o.counts, o.places)
	}
	return posting.Append(dst, o.Samples)
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

// Collector gives a sink every fragment that growth visits, which has the support
// already; in closed mode only what is closed.
type Collector struct {
	ctx     context.Context
	closed  bool
	visits  uint
	Ordered InOrder[*fragments]
}

// fragments are those kept of a batch.
type fragments struct {
	samples []uint32
	counts  []uint32 // beside the samples of a fragment, where some occur several times
	places  []uint32 // beside counts, where placed is set
	placed  bool
	Items   []fragment
}

type fragment struct {
	sampleEnd uint32
	countEnd  uint32 // no further than that of the fragment before where it has no counts
	order     int
	support   uint32
	Before    uint32 // of that, samples that were there before an append
}

func (f *fragments) Reset() {
	f.samples, f.counts, f.places, f.Items = f.samples[:0], f.counts[:0], f.places[:0], f.Items[:0]
}

func NewCollector(ctx context.Context, l index.Limits, out Sink) *Collector {
	return &Collector{ctx: ctx, closed: l.Closed, Ordered: InOrder[*fragments]{
		Fresh: func() *fragments { return &fragments{} },
		Emit: func(c index.Code, of *fragments, i int) error {
			it, last := &of.Items[i], fragment{}
			if i > 0 {
				last = of.Items[i-1]
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

// Visit implements index.Visitor.
func (c *Collector) Visit(b *index.Batch) error {
	w, err := c.Begin(b)
	if err != nil {
		return err
	}
	for i := range b.Len() {
		b.Descend[i] = true
		if c.closed && !b.Closed[i] {
			continue
		}
		KeepFragment(w, b, i, 0)
	}
	return nil
}

// Begin returns what the extensions of a batch are kept in.
func (c *Collector) Begin(b *index.Batch) (*Waiting[*fragments], error) {
	if c.visits++; c.visits&0xFF == 0 {
		if err := c.ctx.Err(); err != nil {
			return nil, err
		}
	}
	w, err := c.Ordered.Begin(b.Parent)
	if err == nil {
		w.Kept.placed = b.Places != nil
	}
	return w, err
}

// KeepFragment keeps extension i of a batch, of whose samples so many were there before an
// append.
func KeepFragment(w *Waiting[*fragments], b *index.Batch, i int, before uint32) {
	f := w.Kept
	w.Keep(b.SuffixOf(i))
	f.samples = append(f.samples, b.SamplesOf(i)...)
	if b.Occ[i] > b.Support[i] {
		f.counts = append(f.counts, b.CountsOf(i)...)
		f.places = append(f.places, b.PlacesOf(i)...)
	}
	f.Items = append(f.Items, fragment{uint32(len(f.samples)), uint32(len(f.counts)), b.OrderOf(i), b.Support[i], before})
}

func (c *Collector) Finish() error { return c.Ordered.Finish() }
