package gradient

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/store/runfile"
)

// levels mines one order after another, as Qian & Liu (2015) do. The candidates of an order extend the kept
// fragments of the order before. Only candidates that pass a screen are counted (see screen).
type levels struct {
	engine
	trees  *trees
	s      *streamFiles
	budget int // the memory for sorting candidates, in bytes
	// screen makes the test for the candidates of one iteration.
	screen func(side []uint8, c uint32) screen
}

// screen says which candidates are worth counting. It never removes a candidate that must be kept.
type screen interface {
	// see is called for each candidate of each sample, gold samples first. A candidate stays only if some
	// call returns true.
	see(c index.Code) bool
	// endSide is called after the last sample of each side.
	endSide()
	// pass says whether a remaining candidate stays. It is called once for each candidate, in code order.
	pass(c index.Code) (bool, error)
	// kept gets an index of the kept fragments of an order, for the candidates of the next order. The index
	// is valid until the next call.
	kept(ctx context.Context, x *expansion.Index) error
}

// mine implements engine. It counts only candidates that pass the screen.
func (e *levels) mine(ctx context.Context, side []uint8, c uint32, out *set) (counts index.Counts, err error) {
	l := &levelRun{levels: e, side: side, c: c, of: out, counts: &counts, screen: e.screen(side, c)}
	defer func() {
		for _, s := range l.orders {
			err = errors.Join(err, s.remove())
		}
		err = errors.Join(err, l.above.close(l.s), l.last.close(l.s))
	}()
	for order := 1; e.trees.o.MaxOrder == 0 || order <= e.trees.o.MaxOrder; order++ {
		more, err := l.levelOrKept(ctx, order)
		if err != nil {
			return counts, err
		}
		if !more {
			break
		}
	}
	to := out.addRange()
	to.begin()
	defer to.end()
	return counts, errors.Join(eachInOrder(l.orders, to.add), to.finish())
}

// levelRun is the state of one call of levels.mine.
type levelRun struct {
	*levels
	side   []uint8
	c      uint32
	of     *set
	counts *index.Counts
	screen screen
	orders []*stream // the kept fragments, by order from 1 on

	above indexFile // the kept fragments of all orders so far
	last  indexFile // the kept fragments of the last order
}

// levelOrKept finds the fragments to keep of one order, or loads them if an earlier run has saved them. It
// returns false if there are none.
func (l *levelRun) levelOrKept(ctx context.Context, order int) (more bool, err error) {
	s := &stream{s: l.s}
	l.orders = append(l.orders, s)
	n, more, err := l.of.keeper.loadPart(l.of.class, order, s, func(*feature) {})
	if err == nil && !more {
		if n, err = l.level(ctx, order, s); err == nil {
			err = s.finish()
		}
		if more = s.n > 0; more && err == nil {
			err = l.of.keeper.savePart(l.of.class, order, s, n) // the order is the number of the part
		}
	}
	l.counts.Add(n)
	if !more || err != nil {
		return false, err
	}
	return true, l.keep(ctx)
}

// level finds the fragments of one order that must be kept, and returns the number of candidates.
func (l *levelRun) level(ctx context.Context, order int, to *stream) (counts index.Counts, err error) {
	l.of.progress.step(fmt.Sprintf("candidates of order %d", order), "", 0)
	candidates, err := l.candidates(ctx, order, &counts)
	defer func() { err = errors.Join(err, candidates.remove()) }()
	if err != nil {
		return counts, err
	}
	x, err := l.index(candidates)
	if err != nil {
		return counts, err
	}
	a, b, err := l.count(ctx, x.Index, l.side)
	if err := errors.Join(err, x.close(l.s)); err != nil {
		return counts, err
	}
	id := 0
	err = candidates.each(func(f *feature) error {
		id++
		if f.a, f.b = a[id], b[id]; max(f.a, f.b) <= l.c {
			return nil
		}
		return to.add(f)
	})
	counts.Count(order, 0, uint64(id)-to.n)
	return counts, err
}

// candidates returns the extensions of the kept fragments that the screen lets through.
func (l *levelRun) candidates(ctx context.Context, order int, counts *index.Counts) (out *stream, err error) {
	out = &stream{s: l.s}
	dir := l.s.fs.PathJoin(l.s.dir, fmt.Sprintf("gradient-sort-%d", l.s.files.Add(1)))
	sorter := runfile.NewSorter(&runfile.Dir{FS: l.s.fs, Path: dir}, runfile.SortOptions{Budget: l.budget})
	if err := l.list(ctx, order, sorter); err != nil {
		return out, errors.Join(err, sorter.Close())
	}
	it, err := sorter.Sort()
	if err != nil {
		return out, err
	}
	var f feature
	seen := uint64(0)
	for err == nil && it.Next() {
		if seen > 0 && bytes.Equal(f.code, it.Value()) {
			continue
		}
		if seen++; seen&0xFFF == 0 {
			err = ctx.Err()
		}
		f.code = append(f.code[:0], it.Value()...)
		ok, e := l.screen.pass(f.code)
		if err = errors.Join(err, e); err == nil && ok {
			err = out.add(&f)
		}
	}
	counts.Count(order, seen, seen-out.n)
	return out, errors.Join(err, it.Close(), out.finish())
}

// list adds the candidates of each sample to a sorter. A candidate of several samples is added several times.
func (l *levelRun) list(ctx context.Context, order int, to *runfile.Sorter) error {
	v := &lister{levelRun: l, order: order, to: to}
	limits := index.Limits{MinSupport: 1, MaxOrder: order, NoSamples: true}
	items := l.trees.o.Space.NewItems(l.trees.o.Symbols)
	t := new(index.Tree)
	for _, side := range [...]uint8{goldSide, predictedSide} {
		for sample, s := range l.side {
			if s != side {
				continue
			}
			if err := errors.Join(l.trees.o.Tree(uint32(sample), t), ctx.Err()); err != nil {
				return err
			}
			items.Reset()
			items.Add(uint32(sample), t, index.All, limits)
			items.Seal()
			if _, err := items.Grow(index.All, index.Weights{}, limits, v); err != nil {
				return err
			}
		}
		l.screen.endSide()
	}
	return nil
}

// lister lists the fragments of one order in one sample. It extends only kept fragments.
type lister struct {
	*levelRun
	order int
	to    *runfile.Sorter
	code  index.Code
}

// Visit implements index.Visitor.
func (v *lister) Visit(b *index.Batch) error {
	if b.Order < v.order {
		rec, _ := find(v.above.Index, b.Parent)
		for i := range b.Len() {
			step, _, _ := index.Code(b.SuffixOf(i)).Next()
			_, b.Descend[i] = v.above.Step(&rec, step)
		}
		return nil
	}
	for i := range b.Len() {
		v.code = append(append(v.code[:0], b.Parent...), b.SuffixOf(i)...)
		if !v.screen.see(v.code) {
			continue
		}
		if err := v.to.Add(v.code); err != nil {
			return err
		}
	}
	return nil
}

// keep makes the indexes of the kept fragments: l.last of the last order, l.above of all orders so far.
func (l *levelRun) keep(ctx context.Context) error {
	x, err := l.index(l.orders[len(l.orders)-1])
	if err != nil {
		return err
	}
	x, l.last = l.last, x
	err = l.screen.kept(ctx, l.last.Index)
	if err := errors.Join(err, x.close(l.s), l.above.close(l.s)); err != nil {
		return err
	}
	l.above, err = l.index(l.orders...)
	return err
}

func (l *levelRun) index(streams ...*stream) (indexFile, error) {
	return l.s.index(l.trees.o.Space, l.trees.o.Symbols, func(put func(index.Code) error) error {
		return eachInOrder(streams, func(f *feature) error { return put(f.code) })
	})
}
