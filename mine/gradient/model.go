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

// weight is that of the i-th feature of an order.
func (m *model) weight(order, i int) float64 { return m.w[m.ids[order][i]] }

// close gives back what the model takes.
func (m *model) close(s *scratch) (err error) {
	for _, o := range m.orders {
		err = errors.Join(err, o.remove())
	}
	m.orders, m.ids = nil, nil
	return errors.Join(err, m.x.close(s))
}

// merger makes the next model of a class: of what was mined and of what has a weight.
type merger struct {
	update Update
	c      float64
	before *model
	// what has a weight, by id of before: the samples of each side that have it
	a, b  []uint32
	mined *set
	s     *scratch

	w      [][]float64 // by order, of the next model
	d      [][]int32
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
func (m *merger) run(ctx context.Context, space index.Space, syms *index.Symbols) (*model, error) {
	orders := max(m.mined.orders(), len(m.before.orders))
	m.counts = make([]uint64, orders)
	next := &model{change: change{update: m.update, c: m.c}, orders: make([]*stream, orders)}
	m.w, m.d = make([][]float64, orders), make([][]int32, orders)
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
			if w == 0 && m.update.slope(0, float64(d), m.c) == 0 {
				return nil
			}
			m.w[order], m.d[order] = append(m.w[order], w), append(m.d[order], d)
			return out.add(x)
		})
		if err := errors.Join(err, out.finish()); err != nil {
			return nil, errors.Join(err, next.close(m.s))
		}
	}
	if err := m.number(next, space, syms); err != nil {
		return nil, errors.Join(err, next.close(m.s))
	}
	return next, nil
}

// number numbers the features of next, and makes their index.
func (m *merger) number(next *model, space index.Space, syms *index.Symbols) (err error) {
	next.ids = make([][]uint32, len(next.orders))
	n := 1
	for order, w := range m.w {
		next.ids[order] = make([]uint32, 0, len(w))
		n += len(w)
	}
	next.grow(n)
	next.add(0, 0)
	next.x, err = m.s.index(space, syms, func(put func(index.Code) error) error {
		return eachInOrder(next.orders, func(order int, x *feature) error {
			i := len(next.ids[order])
			next.ids[order] = append(next.ids[order], uint32(len(next.w)))
			next.add(m.w[order][i], m.d[order][i])
			return put(x.code)
		})
	})
	m.w, m.d = nil, nil
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
