// Package judge makes one pass of an objective over a space. It scans the stored fragments, or grows
// fragments from the trees. It asks the objective about each fragment, and keeps the fragments that reach a
// threshold. It knows no objective by name. Start at objective.go.
package judge

import (
	"context"
	"sync"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/store"
)

// Pass is one run of an objective over the fragments of a space.
type Pass struct {
	By      Objective
	Limits  index.Limits
	At      *Threshold
	budget  *grow.Budget // bounds the kept fragments
	columns int          // number of columns of By
	Sharing sharing      // By, if it implements sharing; else nil

	mu  sync.Mutex
	Saw Explanation
}

// NewPass returns a pass of an objective within limits. The pass keeps the fragments that reach t, and counts
// them in b.
func NewPass(by Objective, l index.Limits, t *Threshold, b *grow.Budget) *Pass {
	p := &Pass{By: by, Limits: l, At: t, budget: b, columns: len(by.Columns())}
	p.Sharing, _ = by.(sharing)
	return p
}

// sharing is implemented by objectives whose scores are the coordinates of a vector.
type sharing interface {
	// Share returns the part of the vector's squared norm that a score contributes, in units of 2⁻⁶².
	Share(score float64) uint64
}

// Entries receives the kept entries of one range, in ascending code order. Put must not keep its argument.
type Entries interface {
	Put(e *store.Entry) error
	// Finish ends the range. Its argument says what the pass did in the range.
	Finish(saw Explanation) error
	Abort()
}

// judging judges the fragments of one range. Its `out` is nil if fragments are only counted, or if only the
// best are kept.
type judging struct {
	*Pass
	out Entries
	saw Explanation // what the pass did in this range
}

func (j *judging) Counted(c index.Counts) {
	for order := range c.Candidates {
		n := j.saw.At(order)
		n.Candidates += c.Candidates[order]
		n.Below += c.Below[order]
	}
}

// Pruned says whether the objective needs no fragments below the root of the range, see grow.Pruner.
func (j *judging) Pruned() bool {
	n := j.saw.At(1)
	return n.Pruned == n.Counted
}

func (j *judging) Finish() error {
	j.Pass.addSeen(j.saw)
	if j.out == nil {
		return nil
	}
	return j.out.Finish(j.saw)
}

// addSeen adds the counts of one range to the counts of the pass.
func (p *Pass) addSeen(saw Explanation) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Saw.Add(saw)
}

func (j *judging) Abort() {
	if j.out != nil {
		j.out.Abort()
	}
}

func (j *judging) Visitor(ctx context.Context, _ index.Limits) grow.RangeVisitor {
	v := &judge{Pass: j.Pass, ctx: ctx, saw: &j.saw, share: grow.Share{Budget: j.budget}}
	v.out.Fresh = func() *judged { return &judged{} }
	numbers := 4 + j.columns
	v.out.Emit = func(c index.Code, of *judged, i int) error {
		n := of.numbers[i*numbers : (i+1)*numbers]
		return j.out.Put(&store.Entry{Code: c, Score: n[0], Weight: n[1], Stats: n[2:]})
	}
	v.inOrder = j.out != nil
	return v
}

// judged holds the score, the weight and the statistics of each kept entry of a batch.
type judged struct{ numbers []float64 }

func (k *judged) Reset() { k.numbers = k.numbers[:0] }

// judge is a visitor that asks the objective about each batch. The statistics of a kept fragment are support,
// occurrences, and the objective's columns.
type judge struct {
	*Pass
	ctx      context.Context
	visits   uint
	verdicts Verdicts
	saw      *Explanation // what the pass did in the range
	inOrder  bool
	out      grow.InOrder[*judged]
	entry    store.Entry
	share    grow.Share
}

func (v *judge) Visit(b *index.Batch) error {
	if v.visits++; v.visits&0xFF == 0 {
		if err := v.ctx.Err(); err != nil {
			return err
		}
	}
	v.ask(b)
	var w *grow.Waiting[*judged]
	if v.inOrder {
		var err error
		if w, err = v.out.Begin(b.Parent); err != nil {
			return err
		}
	}
	for i, keep := range v.verdicts.Keep {
		if !keep {
			continue
		}
		if v.At.Most == 0 { // the budget does not count entries that only wait in Best
			if err := v.share.Add(1); err != nil {
				return err
			}
		}
		v.fill(b, i)
		switch {
		case w != nil:
			w.Keep(b.SuffixOf(i))
			w.Kept.numbers = append(append(w.Kept.numbers, v.entry.Score, v.entry.Weight), v.entry.Stats...)
		case v.At.Most > 0:
			v.entry.Code = append(append(v.entry.Code[:0], b.Parent...), b.SuffixOf(i)...)
			v.At.add(&v.entry)
		}
	}
	return nil
}

// ask gets the verdicts of the objective on b, and counts them.
func (v *judge) ask(b *index.Batch) {
	v.verdicts.Begin(b.Len(), v.columns)
	v.By.Judge(b, v.At.Now(), &v.verdicts)
	for i := range b.Len() {
		order := b.OrderOf(i)
		if v.Limits.Closed && !b.Closed[i] {
			v.verdicts.Keep[i] = false
		}
		n := v.saw.At(order)
		n.Counted++
		if !b.Descend[i] {
			n.Pruned++
		}
		if v.verdicts.Keep[i] {
			n.Kept++
			if v.Sharing != nil {
				n.Share += v.Sharing.Share(v.verdicts.Score[i])
			}
		}
	}
}

// fill sets the fields of v.entry for extension i, except the code.
func (v *judge) fill(b *index.Batch, i int) {
	e := &v.entry
	e.Score, e.Weight = v.verdicts.Score[i], v.verdicts.Weight[i]
	e.Stats = append(e.Stats[:0], float64(b.Support[i]), float64(b.Occ[i]))
	e.Stats = append(e.Stats, v.verdicts.Stats[i*v.columns:(i+1)*v.columns]...)
}

func (v *judge) Finish() error {
	if c, ok := v.By.(Counting); ok {
		c.Flush(&v.verdicts)
	}
	if err := v.share.Finish(); err != nil {
		return err
	}
	if !v.inOrder {
		return nil
	}
	return v.out.Finish()
}
