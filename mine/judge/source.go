package judge

import (
	"bytes"
	"errors"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/store"
	"fstore/store/posting"
)

// Source is the set of fragments of one space of a store, within limits. They are scanned in the store or
// grown from the trees, with the same result.
type Source struct {
	grow.Source
	grow.SpaceLimits
	Info    *store.SpaceInfo
	Grow    bool          // grow from the trees; else scan the stored fragments
	Tallied *grow.Tallied // the roots and samples that growth starts from; nil before the first pass
}

// Covers says whether a space stores all fragments within limits l.
func Covers(info *store.SpaceInfo, l index.Limits) bool {
	return l.MinSupport >= info.MinSupport && l.Closed == info.Closed &&
		(info.MaxOrder == 0 || l.MaxOrder > 0 && l.MaxOrder <= info.MaxOrder)
}

// Run makes a pass over the fragments. For each range of fragments, the function `task` returns the sink, or
// nil if they are only counted. A scan of the store has only one range.
func (x *Source) Run(p *Pass, task func(index.Range) (Entries, error)) error {
	if x.Grow {
		return x.fromTrees(p, task)
	}
	out, err := task(index.All)
	if errors.Is(err, grow.ErrGrown) {
		return nil
	}
	if err != nil {
		return err
	}
	j := &judging{Pass: p, out: out}
	v := j.Visitor(x.Ctx, p.Limits).(*judge)
	v.inOrder = false
	if err := newScan(x, v, out).run(x.Progress); err != nil {
		j.Abort()
		return err
	}
	return j.Finish()
}

// fromTrees does the work of Run by growing the fragments from the trees.
func (x *Source) fromTrees(p *Pass, task func(index.Range) (Entries, error)) error {
	if x.Tallied == nil { // count once; keep the samples if they fit in memory
		tallied, err := x.TallyStored(x.SpaceLimits)
		if err != nil {
			return err
		}
		x.Tallied = tallied
	}
	g := &grow.Growth{Source: x.Source, Tallied: *x.Tallied, Weights: p.By.Weights(), Fine: true}
	g.Limits = x.Limits // the limits of this pass: its maximum order may be lower than the tally's
	g.Limits.NoSamples = !p.By.Samples()
	return g.Ranges(func(r index.Range) (grow.Task, error) {
		out, err := task(r)
		return &judging{Pass: p, out: out}, err
	})
}

// Known returns the number of fragments within the limits, if the store knows this number.
func (x *Source) Known() (n uint64, known bool) {
	return uint64(x.Info.Features), !x.Grow && x.Limits == x.Info.Limits()
}

// Look passes all fragments to an objective that keeps no fragments.
func (x *Source) Look(by Objective) error {
	return x.Run(NewPass(by, x.Limits, &Threshold{}, grow.NewBudget(0)), CountOnly)
}

// CountOnly is a task for Run that keeps no entries.
func CountOnly(index.Range) (Entries, error) { return nil, nil }

// scan reads the stored fragments (mine/README.md, "One pass"). Key order is depth first, so a seek skips all
// fragments below the current one.
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

// newScan returns a scan that puts the kept entries into out. The judge must have no sink of its own.
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
		descend, err := s.judgeOne(it.Key(), it.Value())
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
		// Most skipped branches are a single fragment, for which reading the next key is faster than a seek.
		if ok = it.Next(); ok && bytes.Compare(it.Key(), s.end) < 0 {
			ok = it.SeekGE(s.end)
		}
	}
	if err := it.Err(); err != nil {
		return err
	}
	return s.judge.Finish()
}

// judgeOne judges one fragment, and says whether to continue below the fragment.
func (s *scan) judgeOne(c index.Code, list []byte) (descend bool, err error) {
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

// weigh puts into the batch what the objective reads: the samples of a fragment, and the sums of their
// weights.
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
