package judge

import (
	"errors"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/store"
)

// Source is the set of fragments that a selection chooses from: the fragments of one space of a store, within
// limits. They are either scanned or grown, with the same result.
type Source struct {
	grow.Source
	grow.SpaceLimits
	Info    *store.SpaceInfo
	Grow    bool          // grow from the trees; else scan the stored fragments
	Tallied *grow.Tallied // the roots and samples that growth starts from; nil before the first pass
}

// Covers says whether the stored fragments of a space are all fragments within limits. A
// fragment that is closed stays closed under any limits. Open fragments do not help to find
// closed ones.
func Covers(info *store.SpaceInfo, l index.Limits) bool {
	return l.MinSupport >= info.MinSupport && l.Closed == info.Closed &&
		(info.MaxOrder == 0 || l.MaxOrder > 0 && l.MaxOrder <= info.MaxOrder)
}

// Run makes a pass over the fragments. task returns the sink for one range's fragments, or nil if only counts
// are wanted; see grow.Growth.Ranges for how the function task is called. A scan is one range.
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

// fromTrees does the same as Run, by growth.
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

// Known returns the number of fragments within the limits. known is false if the store does not have this
// number.
func (x *Source) Known() (n uint64, known bool) {
	return uint64(x.Info.Features), !x.Grow && x.Limits == x.Info.Limits()
}

// Look passes all fragments to an objective that keeps no fragments.
func (x *Source) Look(by Objective) error {
	return x.Run(NewPass(by, x.Limits, &Threshold{}, grow.NewBudget(0)), CountOnly)
}

// CountOnly is a task for Run that keeps no entries.
func CountOnly(index.Range) (Entries, error) { return nil, nil }
