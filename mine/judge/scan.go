package judge

import (
	"bytes"

	"fstore/index"
	"fstore/store"
	"fstore/store/posting"
)

// scan walks the stored fragments (mine/README.md, "One pass"). Key order visits the codes as a trie, depth
// first. If no fragment below the current one can be selected, scan skips the branch with a seek. It reads
// posting lists for the sums of an objective, but no trees.
type scan struct {
	st      *store.Store
	info    *store.SpaceInfo
	space   index.Space
	syms    *index.Symbols
	judge   *judge
	out     Entries // nil if fragments are only counted
	weights index.Weights
	sums    bool // the objective needs sums of weights
	list    bool // posting lists are read in full
	flat    bool // the space is flat: a longer code is not below its prefix
	batch   index.Batch
	end     []byte
}

// newScan prepares a scan. The judge j must have no sink, because the scan itself puts the kept entries into
// out.
func newScan(x *Source, j *judge, out Entries) *scan {
	s := &scan{st: x.St, info: x.Info, space: x.Space, syms: x.Syms, judge: j, out: out, weights: j.By.Weights()}
	_, s.flat = x.Space.(index.Flat)
	s.sums = s.weights.Class != nil || s.weights.Occ != nil
	s.list = s.sums || j.By.Samples()
	s.batch = index.Batch{
		SuffixEnd: make([]uint32, 1), Support: make([]uint32, 1), Occ: make([]uint32, 1),
		Descend: make([]bool, 1), Closed: []bool{true},
	}
	if s.sums {
		s.batch.A, s.batch.B = make([]float64, 1), make([]float64, 1)
	}
	if s.list {
		s.batch.SampleEnd = make([]uint32, 1)
	}
	return s
}

// The method run reads the fragments.
func (s *scan) run(progress index.Progress) error {
	it, err := s.st.Iter(s.info.Number, nil, nil)
	if err != nil {
		return err
	}
	defer it.Close()
	const step = 1 << 12
	progress.Step("scan "+s.info.ID, "fragments", int64(s.info.Features))
	n := 0
	for ok := it.Next(); ok; {
		if n++; n%step == 0 {
			progress.Add(step)
			if err := s.judge.ctx.Err(); err != nil {
				return err
			}
		}
		descend, err := s.look(it.Key(), it.Value())
		if err != nil {
			return err
		}
		if descend || s.flat {
			ok = it.Next()
			continue
		}
		if s.end = append(s.end[:0], it.Key().PrefixEnd()...); len(s.end) == 0 {
			break
		}
		// Most skipped branches are a single fragment. Then the next key is enough, and cheaper than a seek.
		if ok = it.Next(); ok && bytes.Compare(it.Key(), s.end) < 0 {
			ok = it.SeekGE(s.end)
		}
	}
	if err := it.Err(); err != nil {
		return err
	}
	return s.judge.Finish()
}

// The method look judges one fragment. The result descend is whether to go on below the fragment.
func (s *scan) look(c index.Code, list []byte) (descend bool, err error) {
	if err := s.space.Check(c, s.syms); err != nil {
		return false, s.damaged(err)
	}
	support, occ, err := posting.Header(list)
	if err != nil {
		return false, s.damaged(err)
	}
	l := &s.judge.Limits
	order := c.Len()
	if l.MaxOrder > 0 && order > l.MaxOrder {
		return false, nil // codes below c have at least its order
	}
	n := s.judge.saw.At(order)
	n.Candidates++
	if support < l.MinSupport {
		n.Below++
		return false, nil
	}
	b := &s.batch
	b.Suffix, b.SuffixEnd[0], b.Order = c, uint32(len(c)), order
	b.Support[0], b.Occ[0], b.Descend[0] = support, occ, false
	if err := s.weigh(list); err != nil {
		return false, s.damaged(err)
	}
	if err := s.judge.Visit(b); err != nil {
		return false, err
	}
	if s.out != nil && s.judge.verdicts.Keep[0] {
		s.judge.entry.Code = c
		if err := s.out.Put(&s.judge.entry); err != nil {
			return false, err
		}
	}
	return b.Descend[0], nil
}

// weigh sets the samples and sums in the batch that the objective reads.
func (s *scan) weigh(list []byte) (err error) {
	b, samples := &s.batch, s.st.Meta().Samples
	if !s.list {
		return nil
	}
	if b.Sample, b.Count, err = posting.Decode(list, samples, b.Sample[:0], b.Count[:0]); err != nil {
		return err
	}
	b.SampleEnd[0] = uint32(len(b.Sample))
	if s.sums {
		b.A[0], b.B[0] = s.weights.Sum(b.Sample, b.Count)
	}
	return nil
}

func (s *scan) damaged(err error) error {
	return &store.Error{Dir: s.st.Dir(), Kind: store.ErrDamaged, Detail: "space " + s.info.ID, Err: err}
}
