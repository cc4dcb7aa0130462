package builder

import (
	"bytes"
	"errors"
	"sync"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/store"
)

// incrementShare bounds an increment: at most 1/incrementShare of the samples are new. If more are new, it is
// faster to grow everything. The table has seconds of CPU, by the number of new samples.
//
//	                            1 sample   20     200    600    everything
//	EWT, dep, order 5               1.15   1.3    1.6                  2.1
//	IcePaHC, stk, order 5           1.3                  1.7           2.2
const incrementShare = 32

// canIncrement says whether to call increment for a space instead of growing everything.
func (b *builder) canIncrement(s *grow.Tallied, old *store.SpaceInfo) bool {
	_, flat := s.Space.(index.Flat)
	few := b.added <= b.Meta.Samples/incrementShare || b.O.IncrementAlways
	return b.O.Mode == store.Append && few && old.Generation > 0 && s.Items != nil && !s.Limits.Closed && !flat && old.HasPlaces(s.Space)
}

// increment grows the fragments that occur in a new sample, and copies all others from the store. A fragment
// without a new sample is unchanged, and so are the fragments that extend it.
func (b *builder) increment(g *grow.Growth, old *store.SpaceInfo, start func() (*rangeLoad, error)) error {
	var mu sync.Mutex
	var now, then index.Counts // candidates of the fragments that were grown again
	saw := func(isNow, wasThen index.Counts) {
		mu.Lock()
		defer mu.Unlock()
		now.Add(isNow)
		then.Add(wasThen)
	}
	first := b.Meta.Samples - b.added // first new sample
	least := g.Limits.MinSupport
	g.Limits.MinSupport = 1 // to see fragments that only now reach the least support
	var lo index.Code
	err := g.Ranges(func(r index.Range) (grow.Task, error) {
		hi := r.End()
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
		return grow.Newcomers(m, first, least, saw), nil
	})
	g.Counts = index.Counts{Candidates: replaced(old.Candidates, then.Candidates, now.Candidates), Below: replaced(old.Below, then.Below, now.Below)}
	return err
}

// replaced returns counts - removed + added, order by order.
func replaced(counts, removed, added []uint64) []uint64 {
	all := make([]uint64, max(len(counts), len(added)))
	copy(all, counts)
	for o, n := range added {
		all[o] += n
	}
	for o, n := range removed {
		all[o] -= n
	}
	return all
}

// merge is a sink that adds the stored fragments to the new ones. If a code is in both, it keeps the new
// fragment.
type merge struct {
	*rangeLoad
	it   *store.FragmentIter
	more bool
}

func (m *merge) Put(c index.Code, order int, list []byte) error {
	if err := m.copyTo(c); err != nil {
		return err
	}
	if m.more && bytes.Equal(m.it.Key(), c) {
		m.more = m.it.Next()
	}
	return m.rangeLoad.Put(c, order, list)
}

// copyTo copies the stored fragments before c, or all remaining ones if c is nil. It checks a code only after
// a panic: checking every code would double the time.
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
		if err := m.add(m.it.Key(), index.Code(m.it.Key()).Len(), m.it.Value()); err != nil {
			return err
		}
		m.more = m.it.Next()
	}
	return m.it.Err()
}

func (m *merge) Finish() error {
	err := errors.Join(m.copyTo(nil), m.it.Close())
	if err != nil {
		m.rangeLoad.Abort()
		return err
	}
	return m.rangeLoad.Finish()
}

func (m *merge) Abort() {
	_ = m.it.Close()
	m.rangeLoad.Abort()
}
