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
	change // by id; 0 is no feature
	s      *scratch
	orders []*stream // codes with a and b, by order; 0 is unused
	x      indexFile // over all of them; none where there are no features yet
}

// newModel is one of no features, of fewer orders.
func newModel(m *miner, orders int) *model {
	x := &model{change: change{update: m.o.Update, c: float64(m.o.C)}, s: m.s, orders: make([]*stream, orders)}
	x.w.s, x.d.near.s = m.s, m.s
	for order := range x.orders {
		x.orders[order] = &stream{s: m.s}
	}
	x.add(0, 0)
	return x
}

// close gives back what the model takes.
func (m *model) close() (err error) {
	for _, o := range m.orders {
		err = errors.Join(err, o.remove())
	}
	m.orders = nil
	return errors.Join(err, m.x.close(m.s), m.change.close())
}

// merger makes the next model of a class: of what was mined and of what has a weight.
type merger struct {
	m      *miner
	before *model
	// what has a weight, by id of before: the samples of each side that have it
	a, b  []uint32
	mined *set

	counts []uint64 // of S_r, by order
}

// each calls f with all features of S, in code order, with their weights, and whether they
// were mined or only have a weight.
func (g *merger) each(ctx context.Context, f func(order int, x *feature, w float64, mined bool) error) error {
	g.m.told.step("weigh", "fragments", 0)
	const often = 1 << 16
	n := 0
	return eachOfBoth(g.mined, g.before, func(order int, x *feature, id uint32, mined bool) error {
		if n++; n%often == 0 {
			g.m.told.add(often)
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		w := g.before.weight(id)
		if w == 0 && !mined {
			return nil
		}
		if !mined {
			x.a, x.b = g.a[id], g.b[id]
		}
		return f(order, x, w, mined)
	})
}

// run makes the next model, in one pass: what is kept of a feature goes where it stays.
func (g *merger) run(ctx context.Context) (*model, error) {
	orders := max(g.mined.orders(), len(g.before.orders))
	g.counts = make([]uint64, orders)
	next := newModel(g.m, orders)
	kinds := g.mined.templates.Counter()
	defer g.mined.templates.Release(kinds)
	err := next.index(g.m.o, func(put func(index.Code) error) error {
		err := g.each(ctx, func(order int, x *feature, w float64, mined bool) error {
			g.counts[order]++
			if !mined {
				kinds.Add(x.code, order)
			}
			d := int32(x.a) - int32(x.b)
			if w == 0 && next.update.slope(0, float64(d), next.c) == 0 {
				return nil
			}
			next.add(w, d)
			if err := next.orders[order].add(x); err != nil {
				return err
			}
			return put(x.code)
		})
		for _, out := range next.orders {
			err = errors.Join(err, out.finish())
		}
		next.finish()
		return errors.Join(err, next.err())
	})
	if err != nil {
		return nil, errors.Join(err, next.close())
	}
	return next, nil
}

// index makes the index of the features that each calls put for, in code order.
func (m *model) index(o *Options, each func(put func(index.Code) error) error) (err error) {
	m.x, err = m.s.index(o.Space, o.Symbols, each)
	return err
}

// eachInOrder calls f with the features of streams, one an order, in code order.
func eachInOrder(orders []*stream, f func(order int, x *feature) error) error {
	unions := make([]union, len(orders))
	for order := range orders {
		unions[order].old.rest = orders[order : order+1]
	}
	return interleave(unions, f)
}

// interleave calls f with the features of unions, one an order, in code order, and closes
// them.
func interleave(unions []union, f func(order int, x *feature) error) (err error) {
	defer func() {
		for i := range unions {
			err = errors.Join(err, unions[i].close())
		}
	}()
	live := make([]*feature, len(unions)) // the next of each; nil: there is none
	advance := func(order int) (err error) {
		live[order], err = unions[order].next()
		return err
	}
	// Most have the same order as the one before, so that only the first of all others is
	// compared with.
	least := func(but int) int {
		at := -1
		for order, x := range live {
			if order != but && x != nil && (at < 0 || bytes.Compare(x.code, live[at].code) < 0) {
				at = order
			}
		}
		return at
	}
	for order := range unions {
		if err := advance(order); err != nil {
			return err
		}
	}
	for {
		first := least(-1)
		if first < 0 {
			return nil
		}
		second := least(first)
		for x := live[first]; x != nil && (second < 0 || bytes.Compare(x.code, live[second].code) < 0); x = live[first] {
			if err := f(first, x); err != nil {
				return err
			}
			if err := advance(first); err != nil {
				return err
			}
		}
	}
}
