package builder

import (
	"bytes"
	"context"
	"errors"
	"sync"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/store"
)

// An append grows again only what a new sample has: a fragment that no new sample has is
// where it was before, and so is each that extends it. Growth is over all samples, but goes
// on below a fragment only where a new sample is among its occurrences; whatever else is
// stored is copied. What no new sample raised above the least support was below it before.
//
// The candidates of fragments that were grown again are counted twice, as they are now and
// as they were before, and the difference is added to the counts that are stored.
type increment struct {
	b     *builder
	old   *store.SpaceInfo
	first uint32 // of the new samples

	mu        sync.Mutex
	now, then index.Counts // of what was grown again
}

// incrementShare is the share of all samples that the new ones may be for an increment to be
// faster than growing everything: it also looks at what is below the least support. Seconds
// of CPU of a whole append, which also reads all samples and writes all fragments again, and
// of a build of everything:
//
//	                            1 sample   20     200    600    everything
//	EWT, dep, order 5               1.15   1.3    1.6                  2.1
//	IcePaHC, stk, order 5           1.3                  1.7           2.2
const incrementShare = 32

// canIncrement says whether a space of which old is stored is indexed by an increment.
// Closed fragments are not: which branches hold any is known as they are grown, and so what
// is counted of them. Nor are those of an index.Flat space, in which there is no such thing
// as below, and samples that memory does not hold, which are read by ranges and levels.
// Lists without places are grown anew, which adds them.
func (b *builder) canIncrement(s *grow.Tallied, old *store.SpaceInfo) bool {
	_, flat := s.Space.(index.Flat)
	few := b.added <= b.Meta.Samples/incrementShare || b.O.IncrementAlways
	return b.O.Mode == store.Append && few && old.Generation > 0 && s.Items != nil && !s.Limits.Closed && !flat && old.HasPlaces(s.Space)
}

// increment indexes a space from what is stored of it and growth; start opens what the
// fragments of a range go to.
func (b *builder) increment(g *grow.Growth, old *store.SpaceInfo, start func() (*rangeLoad, error)) error {
	x := &increment{b: b, old: old, first: b.Meta.Samples - b.added}
	least := g.Limits.MinSupport
	g.Limits.MinSupport = 1 // to see what was below it, and is not any more
	var lo index.Code
	err := g.Ranges(func(r index.Range) (grow.Task, error) {
		hi := grow.EndOfRange(r)
		it, err := b.W.OldFragments(old.Number, lo, hi)
		if err != nil {
			return nil, err
		}
		lo = hi
		l, err := start()
		if err != nil {
			return nil, errors.Join(err, it.Close())
		}
		m := &merge{rangeLoad: l, it: it}
		m.more = it.Next()
		return growingAgain{m, x, least}, nil
	})
	g.Counts = index.Counts{Candidates: replaced(old.Candidates, x.then.Candidates, x.now.Candidates), Below: replaced(old.Below, x.then.Below, x.now.Below)}
	return err
}

// replaced is counts by order with some put in the place of others.
func replaced(counts, out, in []uint64) []uint64 {
	all := make([]uint64, max(len(counts), len(in)))
	copy(all, counts)
	for o, n := range in {
		all[o] += n
	}
	for o, n := range out {
		all[o] -= n
	}
	return all
}

// merge is a sink that puts the fragments it is given in the place of those stored, and
// among them.
type merge struct {
	*rangeLoad
	it   *store.FragmentIter
	more bool
}

// Put implements sink.
func (m *merge) Put(c index.Code, order int, support uint32, occ grow.Occurrences) error {
	if err := m.copyTo(c); err != nil {
		return err
	}
	if m.more && bytes.Equal(m.it.Key(), c) {
		m.more = m.it.Next()
	}
	return m.rangeLoad.Put(c, order, support, occ)
}

// copyTo copies what is stored before c, all that is left where it is nil. The codes are not
// checked, which would take as long as everything else, but where one makes a space panic.
func (m *merge) copyTo(c index.Code) (err error) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		var bad error
		if m.more {
			bad = m.run.Space.Check(m.it.Key(), m.b.Syms)
		}
		if bad == nil {
			panic(r)
		}
		err = &store.Error{Dir: m.b.W.Store().Dir(), Kind: store.ErrDamaged, Detail: "space " + m.run.Space.ID(), Err: bad}
	}()
	for n := 1; m.more && (c == nil || bytes.Compare(m.it.Key(), c) < 0); n++ {
		if n&0xFFF == 0 {
			if err := m.b.Ctx.Err(); err != nil {
				return err
			}
		}
		if err := m.add(m.it.Key(), m.run.Space.Order(m.it.Key()), m.it.Value()); err != nil {
			return err
		}
		m.more = m.it.Next()
	}
	return m.it.Err()
}

// Finish implements sink.
func (m *merge) Finish() error {
	err := errors.Join(m.copyTo(nil), m.it.Close())
	if err != nil {
		m.rangeLoad.Abort()
		return err
	}
	return m.rangeLoad.Finish()
}

// Abort implements sink.
func (m *merge) Abort() {
	_ = m.it.Close()
	m.rangeLoad.Abort()
}

// growingAgain is the task of a range.
type growingAgain struct {
	*merge
	x     *increment
	least uint32 // support
}

// Counted implements grow.Task: what growth saw is not what it would have seen of all.
func (growingAgain) Counted(index.Counts) {}

// Visitor implements grow.Task.
func (t growingAgain) Visitor(ctx context.Context, l index.Limits) grow.RangeVisitor {
	return &newcomers{Collector: grow.NewCollector(ctx, l, t.merge), t: t}
}

// newcomers is the collector of fragments that a new sample has.
type newcomers struct {
	*grow.Collector
	t         growingAgain
	now, then index.Counts
}

// Visit implements index.Visitor.
func (v *newcomers) Visit(b *index.Batch) error {
	w, err := v.Begin(b)
	if err != nil {
		return err
	}
	grown := true // the parent, before the append
	if len(b.Parent) > 0 {
		of, i, ok := v.Ordered.Above()
		grown = ok && of.Items[i].Before >= v.t.least
	}
	for i := range b.Len() {
		support, before, order := b.Support[i], v.before(b, i), b.OrderOf(i)
		v.now.Count(order, 1, oneIf(support < v.t.least))
		if grown && before > 0 {
			v.then.Count(order, 1, oneIf(before < v.t.least))
		}
		if support >= v.t.least && before < support {
			b.Descend[i] = true
			grow.KeepFragment(w, b, i, before)
		}
	}
	return nil
}

// before counts the old samples of extension i.
func (v *newcomers) before(b *index.Batch, i int) (n uint32) {
	samples := b.SamplesOf(i)
	if samples[len(samples)-1] < v.t.x.first {
		return b.Support[i]
	}
	last := v.t.x.first
	for _, s := range samples {
		if s >= v.t.x.first {
			break
		}
		if s != last {
			n++
			last = s
		}
	}
	return n
}

// Finish implements grow.RangeVisitor.
func (v *newcomers) Finish() error {
	if err := v.Collector.Finish(); err != nil {
		return err
	}
	v.t.x.mu.Lock()
	defer v.t.x.mu.Unlock()
	v.t.x.now.Add(v.now)
	v.t.x.then.Add(v.then)
	return nil
}

func oneIf(is bool) uint64 {
	if is {
		return 1
	}
	return 0
}
