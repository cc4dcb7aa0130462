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
	r := m.mined.order(order)
	defer func() { err = errors.Join(err, r.close()) }()
	old := &streamReader{}
	has := false
	if order < len(m.before.orders) {
		if old, err = m.before.orders[order].reader(); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, old.close()) }()
	}
	i := -1
	nextOld := func() error {
		for {
			ok, err := old.next()
			if has = ok; !ok || err != nil {
				return err
			}
			if i++; m.before.weight(order, i) != 0 {
				return nil
			}
		}
	}
	if err := errors.Join(nextOld(), r.next()); err != nil {
		return err
	}
	for n := 0; has || !r.done; n++ {
		if n&0xFFFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		which := 1 // the mined one
		switch {
		case r.done:
			which = -1
		case has:
			which = bytes.Compare(old.code, r.code)
		}
		w := 0.0
		if which <= 0 {
			id := m.before.ids[order][i]
			w = m.before.w[id]
			old.a, old.b = m.a[id], m.b[id]
		}
		x := &r.feature
		if which < 0 {
			x = &old.feature
		}
		if err := f(x, w, which >= 0); err != nil {
			return err
		}
		if which <= 0 {
			if err := nextOld(); err != nil {
				return err
			}
		}
		if which >= 0 {
			if err := r.next(); err != nil {
				return err
			}
		}
	}
	return nil
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
	next.add(0, 0)
	next.ids = make([][]uint32, len(next.orders))
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
func eachInOrder(orders []*stream, f func(order int, x *feature) error) (err error) {
	readers := make([]*streamReader, len(orders))
	for order, o := range orders {
		r, e := o.reader()
		if e != nil {
			return e
		}
		defer func() { err = errors.Join(err, r.close()) }()
		if e := advance(readers, order, r); e != nil {
			return e
		}
	}
	for {
		first := -1
		for order, r := range readers {
			if r != nil && (first < 0 || bytes.Compare(r.code, readers[first].code) < 0) {
				first = order
			}
		}
		if first < 0 {
			return nil
		}
		if err := f(first, &readers[first].feature); err != nil {
			return err
		}
		if err := advance(readers, first, readers[first]); err != nil {
			return err
		}
	}
}

// advance puts the next feature of r in its place among readers, nil where there is none.
func advance(readers []*streamReader, order int, r *streamReader) error {
	ok, err := r.next()
	if readers[order] = r; !ok {
		readers[order] = nil
	}
	return err
}
