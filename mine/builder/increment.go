package builder

import (
	"bytes"
	"errors"
	"sync"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/store"
)

// incrementShare is the share of all samples that the new ones may be for an increment to be
// faster than growing everything: it also looks at what is below the least support. Seconds
// of CPU of a whole append, which also reads all samples and writes all fragments again, and
// of a build of everything:
//
//	                            1 sample   20     200    600    everything
//	EWT, dep, order 5               1.15   1.3    1.6                  2.1
//	IcePaHC, stk, order 5           1.3                  1.7           2.2
const incrementShare = 32

// canIncrement says whether an increment indexes a space of which old is stored. It does not if
// fragments are closed (which branches hold any is known only as they grow), in an index.Flat space
// (nothing is below a fragment), if memory does not hold the samples, and if lists have no places, which
// growth adds.
func (b *builder) canIncrement(s *grow.Tallied, old *store.SpaceInfo) bool {
	_, flat := s.Space.(index.Flat)
	few := b.added <= b.Meta.Samples/incrementShare || b.O.IncrementAlways
	return b.O.Mode == store.Append && few && old.Generation > 0 && s.Items != nil && !s.Limits.Closed && !flat && old.HasPlaces(s.Space)
}

// increment grows again only what a new sample has. A fragment that no new sample has is where it was
// before, and so is each that extends it. Growth is over all samples, but goes on below a fragment only
// where a new sample is among its occurrences; whatever else is stored is copied. What no new sample
// raised above the least support was below it before.
//
// The candidates of fragments that were grown again are counted twice, as they are now and as they were
// before, and the difference is added to the stored counts. start opens the sink of a range.
func (b *builder) increment(g *grow.Growth, old *store.SpaceInfo, start func() (*rangeLoad, error)) error {
	var mu sync.Mutex
	var now, then index.Counts // of what was grown again
	saw := func(isNow, wasThen index.Counts) {
		mu.Lock()
		defer mu.Unlock()
		now.Add(isNow)
		then.Add(wasThen)
	}
	first := b.Meta.Samples - b.added // of the new samples
	least := g.Limits.MinSupport
	g.Limits.MinSupport = 1 // to see what was below it, and is not any more
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

func (m *merge) Put(c index.Code, order int, list []byte) error {
	if err := m.copyTo(c); err != nil {
		return err
	}
	if m.more && bytes.Equal(m.it.Key(), c) {
		m.more = m.it.Next()
	}
	return m.rangeLoad.Put(c, order, list)
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
