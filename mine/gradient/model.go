package gradient

import (
	"bytes"
	"context"
	"errors"

	"fstore/index"
)

// model is the weights of one class: the features that have one, or had one before the
// last step, numbered from 1 in code order across the orders.
type model struct {
	change           // by id; 0 is no feature
	orders []*stream // codes with a and b, by order; 0 is unused
	ids    [][]uint32
	x      indexFile // over all of them
}

// newModel is one of no features, before its first is added.
func newModel(o *Options) *model {
	return &model{change: change{update: o.Update, c: float64(o.C)}}
}

// weight is that of the i-th feature of an order.
func (m *model) weight(order, i int) float64 { return m.w[m.ids[order][i]] }

// close gives back what the model takes.
func (m *model) close(s *scratch) (err error) {
	for _, o := range m.orders {
		if o != nil {
			err = errors.Join(err, o.remove())
		}
	}
	m.orders, m.ids = nil, nil
	return errors.Join(err, m.x.close(s))
}

// merger makes the next model of a class: of what was mined and of what has a weight.
type merger struct {
	o      *Options
	before *model
	// what has a weight, by id of before: the samples of each side that have it
	a, b  []uint32
	mined *set
	s     *scratch

	counts []uint64 // of S_r, by order
}

// each calls f with all features of S_r of one order: in code order, with their weights, and
// whether they were mined or only have a weight.
func (m *merger) each(ctx context.Context, order int, f func(x *feature, w float64, mined bool) error) (err error) {
	u, err := newUnion(m.mined, m.before, order, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, u.close()) }()
	for n := 0; ; n++ {
		if n&0xFFFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		ok, err := u.next()
		if !ok || err != nil {
			return err
		}
		x, w := u.at(), 0.0
		if id := u.id(); id != 0 {
			w, x.a, x.b = m.before.w[id], m.a[id], m.b[id]
		}
		if err := f(x, w, u.which >= 0); err != nil {
			return err
		}
	}
}

// run makes the next model.
func (m *merger) run(ctx context.Context) (*model, error) {
	orders := max(m.mined.orders(), len(m.before.orders))
	m.counts = make([]uint64, orders)
	next := newModel(m.o)
	next.orders = make([]*stream, orders)
	weights, gradient := make([][]float64, orders), make([][]int32, orders)
	kinds := m.mined.templates.Counter()
	defer m.mined.templates.Release(kinds)
	for order := range orders {
		out := &stream{s: m.s}
		next.orders[order] = out
		err := m.each(ctx, order, func(x *feature, w float64, mined bool) error {
			m.counts[order]++
			if !mined {
				kinds.Add(x.code, order)
			}
			d := int32(x.a) - int32(x.b)
			if w == 0 && next.update.slope(0, float64(d), next.c) == 0 {
				return nil
			}
			weights[order], gradient[order] = append(weights[order], w), append(gradient[order], d)
			return out.add(x)
		})
		if err := errors.Join(err, out.finish()); err != nil {
			return nil, errors.Join(err, next.close(m.s))
		}
	}
	if err := next.number(m.s, m.o, weights, gradient); err != nil {
		return nil, errors.Join(err, next.close(m.s))
	}
	return next, nil
}

// number numbers the features of the orders, which have these weights and gradients, by order,
// and makes their index.
func (m *model) number(s *scratch, o *Options, weights [][]float64, gradient [][]int32) (err error) {
	m.ids = make([][]uint32, len(m.orders))
	n := 1
	for order, w := range weights {
		m.ids[order] = make([]uint32, 0, len(w))
		n += len(w)
	}
	m.grow(n)
	m.add(0, 0)
	m.x, err = s.index(o.Space, o.Symbols, func(put func(index.Code) error) error {
		return eachInOrder(m.orders, func(order int, x *feature) error {
			i := len(m.ids[order])
			m.ids[order] = append(m.ids[order], uint32(len(m.w)))
			m.add(weights[order][i], gradient[order][i])
			return put(x.code)
		})
	})
	return err
}

// eachInOrder calls f with the features of streams, one an order, in code order.
func eachInOrder(orders []*stream, f func(order int, x *feature) error) error {
	readers := make([]features, len(orders))
	for order, o := range orders {
		r, err := o.reader()
		if err != nil {
			return errors.Join(err, closeAll(readers))
		}
		readers[order] = r
	}
	return interleave(readers, f)
}

// interleave calls f with the features of readers, one an order, in code order, and closes
// them.
func interleave(readers []features, f func(order int, x *feature) error) (err error) {
	defer func() { err = errors.Join(err, closeAll(readers)) }()
	live := make([]*feature, len(readers)) // the next of each; nil: there is none
	advance := func(order int) error {
		ok, err := readers[order].next()
		if live[order] = nil; ok {
			live[order] = readers[order].at()
		}
		return err
	}
	for order := range readers {
		if err := advance(order); err != nil {
			return err
		}
	}
	for {
		first := -1
		for order, x := range live {
			if x != nil && (first < 0 || bytes.Compare(x.code, live[first].code) < 0) {
				first = order
			}
		}
		if first < 0 {
			return nil
		}
		if err := f(first, live[first]); err != nil {
			return err
		}
		if err := advance(first); err != nil {
			return err
		}
	}
}

func closeAll(readers []features) (err error) {
	for _, r := range readers {
		if r != nil {
			err = errors.Join(err, r.close())
		}
	}
	return err
}
