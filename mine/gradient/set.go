package gradient

import (
	"errors"
	"slices"

	"fstore/index"
	"fstore/mine/template"
)

// set is the features that one iteration keeps of a class, by consecutive ranges of first
// steps, and in these by order: depth-first growth meets those of one order in code order.
type set struct {
	s         *scratch
	templates *template.Templates
	ranges    []*rangeSet

	keeper   *keeper   // of what is whole; nil keeps nothing
	progress *progress // nil: tells nothing
	class    int
}

// addRange appends a range, which one goroutine fills.
func (t *set) addRange() *rangeSet {
	r := &rangeSet{of: t, number: len(t.ranges)}
	t.ranges = append(t.ranges, r)
	return r
}

// remove gives back what the set takes.
func (t *set) remove() (err error) {
	for _, r := range t.ranges {
		for _, o := range r.orders {
			err = errors.Join(err, o.remove())
		}
	}
	t.ranges = nil
	return err
}

// orders is one more than the largest order.
func (t *set) orders() (n int) {
	for _, r := range t.ranges {
		n = max(n, len(r.orders))
	}
	return n
}

// rangeSet is the features of a range.
type rangeSet struct {
	of     *set
	number int
	orders []*stream // 0 is unused
	kinds  *template.Counter
	f      feature
}

// begin is called by the goroutine that adds, and end when it adds no more, be that for an
// error.
func (r *rangeSet) begin() { r.kinds = r.of.templates.Counter() }

func (r *rangeSet) end() {
	r.of.templates.Release(r.kinds)
	r.kinds = nil
}

// add keeps the feature parent + suffix.
func (r *rangeSet) add(order int, parent index.Code, suffix []byte, a, b uint32) error {
	r.f.code = append(append(r.f.code[:0], parent...), suffix...)
	r.f.a, r.f.b = a, b
	r.kinds.Add(r.f.code, order)
	return r.stream(order).add(&r.f)
}

// stream is where the features of an order go.
func (r *rangeSet) stream(order int) *stream {
	for order >= len(r.orders) {
		r.orders = append(r.orders, &stream{s: r.of.s})
	}
	return r.orders[order]
}

// restore takes over part number of what an earlier run has kept, which fills orders, and
// says whether there is one.
func (r *rangeSet) restore(number int) (counts index.Counts, ok bool, err error) {
	return r.of.keeper.part(r.of.class, number, r.stream, func(order int, f *feature) { r.kinds.Add(f.code, order) })
}

// keep keeps the orders from from on, which are whole, as part number.
func (r *rangeSet) keep(number, from int, counts index.Counts) error {
	streams := slices.Clone(r.orders)
	clear(streams[:min(from, len(streams))])
	return r.of.keeper.keep(r.of.class, number, streams, counts)
}

// finish makes what was added whole.
func (r *rangeSet) finish() (err error) {
	for _, o := range r.orders {
		err = errors.Join(err, o.finish())
	}
	return err
}

// order returns the features of one order, a stream for each range that has any.
func (t *set) order(order int) (streams []*stream) {
	for _, g := range t.ranges {
		if order < len(g.orders) {
			streams = append(streams, g.orders[order])
		}
	}
	return streams
}
