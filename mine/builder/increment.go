package builder

import (
	"bytes"
	"errors"
	"sync"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/store"
)

// incrementShare says when an increment is faster than growing everything: if at most 1/incrementShare of the
// samples are new. An increment is slower per fragment, since it also looks at fragments below the least
// support. The table has seconds of CPU, by the number of new samples, and for a build of everything.
// Even with one new sample, an append reads all samples and writes all fragments.
//
//	                            1 sample   20     200    600    everything
//	EWT, dep, order 5               1.15   1.3    1.6                  2.1
//	IcePaHC, stk, order 5           1.3                  1.7           2.2
const incrementShare = 32

// canIncrement says whether an increment can index a space that is stored as old describes. It must be an
// append with few new samples (or Options.IncrementAlways), and the samples must fit in memory. There are
// three more conditions. (1) The fragments are not closed: to find the branches with closed fragments, all
// fragments must be grown. (2) The space is not index.Flat, in which no fragment is below another. (3) The
// stored posting lists have places, because to add places, all fragments must be grown.
func (b *builder) canIncrement(s *grow.Tallied, old *store.SpaceInfo) bool {
	_, flat := s.Space.(index.Flat)
	few := b.added <= b.Meta.Samples/incrementShare || b.O.IncrementAlways
	return b.O.Mode == store.Append && few && old.Generation > 0 && s.Items != nil && !s.Limits.Closed && !flat && old.HasPlaces(s.Space)
}

// increment grows again only the fragments that occur in a new sample. Every other fragment is unchanged, and
// so are the fragments that extend it. increment copies these from the store. Growth reads all samples, but
// continues below a fragment only if the fragment occurs in a new sample. A fragment below the least support
// stays below it if no new sample has it.
//
// Growth counts candidates twice: in all samples, and in the old samples alone. The difference is added to
// the stored counts. For each range, increment calls start to open its sink.
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

// replaced returns counts - out + in, order by order.
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

// merge is a sink that merges new fragments with the stored fragments. A new fragment replaces the stored
// fragment with the same code.
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

// copyTo copies the stored fragments before c. If c is nil, it copies all remaining ones. It does not check
// the codes first, since that would double the time. But a damaged code can make a method of the space panic.
// Then copyTo checks that code, and returns an error if the code is damaged.
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
