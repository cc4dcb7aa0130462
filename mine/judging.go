package mine

import (
	"context"
	"errors"
	"sync"

	"fstore/index"
	"fstore/store"
)

// pass is one run of an objective over the fragments of a space, by either route.
type pass struct {
	by      Objective
	limits  index.Limits
	at      *threshold
	budget  *budget // of what is kept
	columns int     // of by
	sharing sharing // by, where it is one; else nil

	mu  sync.Mutex
	saw Explanation
}

func newPass(by Objective, l index.Limits, at *threshold, b *budget) *pass {
	p := &pass{by: by, limits: l, at: at, budget: b, columns: len(by.Columns())}
	p.sharing, _ = by.(sharing)
	return p
}

// sharing is implemented by objectives whose scores are parts of a vector.
type sharing interface {
	// share is the part of the vector's squared norm that a score is, in 2⁻⁶².
	share(score float64) uint64
}

// entries receives what is kept of one range, in ascending code order. Nothing of it
// may be kept.
type entries interface {
	put(e *store.Entry) error
	// finish ends it; saw is what was done for it.
	finish(saw Explanation) error
	abort()
}

// errGrown says that a range needs no growing: what is kept of it is there already.
var errGrown = errors.New("the range is grown already")

// judging is the task of judging the fragments of one range. out is nil where they are
// only counted; of the best so many, order does not matter, and there is no out.
type judging struct {
	*pass
	out entries
	saw Explanation // in this range
}

// counted implements rangeTask.
func (j *judging) counted(c index.Counts) {
	for order := range c.Candidates {
		n := j.saw.at(order)
		n.Candidates += c.Candidates[order]
		n.Below += c.Below[order]
	}
}

// pruned implements pruner: growth that visits the root with all that is below would
// end there.
func (j *judging) pruned() bool {
	n := j.saw.at(1)
	return n.Pruned == n.Counted
}

// finish implements rangeTask.
func (j *judging) finish() error {
	j.pass.see(j.saw)
	if j.out == nil {
		return nil
	}
	return j.out.finish(j.saw)
}

// see adds what was done for a range.
func (p *pass) see(saw Explanation) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.saw.add(saw)
}

// abort implements rangeTask.
func (j *judging) abort() {
	if j.out != nil {
		j.out.abort()
	}
}

// visitor implements rangeTask.
func (j *judging) visitor(ctx context.Context, _ index.Limits) rangeVisitor {
	v := &judge{pass: j.pass, ctx: ctx, saw: &j.saw}
	v.out.fresh = func() *judged { return &judged{columns: 2 + j.columns} }
	v.out.emit = func(c index.Code, of *judged, i int) error {
		e := of.entries[i]
		e.Code = c
		e.Stats = of.stats[i*of.columns : (i+1)*of.columns]
		return j.out.put(&e)
	}
	v.inOrder = j.out != nil
	return v
}

// judged are the entries kept of a batch.
type judged struct {
	columns int
	entries []store.Entry // without Code and Stats
	stats   []float64
}

func (k *judged) reset() { k.entries, k.stats = k.entries[:0], k.stats[:0] }

// judge asks the objective about each batch. Its statistics are before those of the
// objective: support and occurrences.
type judge struct {
	*pass
	ctx      context.Context
	visits   uint
	verdicts Verdicts
	saw      *Explanation // in the range
	inOrder  bool
	out      inOrder[*judged]
	entry    store.Entry
	taken    uint64
}

// Visit implements index.Visitor.
func (v *judge) Visit(b *index.Batch) error {
	if v.visits++; v.visits&0xFF == 0 {
		if err := v.ctx.Err(); err != nil {
			return err
		}
	}
	v.ask(b)
	var w *waiting[*judged]
	if v.inOrder {
		var err error
		if w, err = v.out.begin(b.Parent); err != nil {
			return err
		}
	}
	for i, keep := range v.verdicts.Keep {
		if !keep {
			continue
		}
		if v.taken++; v.taken == budgetStep {
			if err := v.take(); err != nil {
				return err
			}
		}
		v.fill(b, i)
		switch {
		case w != nil:
			w.keep(b.SuffixOf(i))
			w.kept.entries = append(w.kept.entries, store.Entry{Score: v.entry.Score, Weight: v.entry.Weight})
			w.kept.stats = append(w.kept.stats, v.entry.Stats...)
		case v.at.most > 0:
			v.entry.Code = append(append(v.entry.Code[:0], b.Parent...), b.SuffixOf(i)...)
			v.at.add(&v.entry)
		}
	}
	return nil
}

// ask fills the verdicts, and counts.
func (v *judge) ask(b *index.Batch) {
	v.verdicts.begin(b.Len(), v.columns)
	v.by.Judge(b, v.at.now(), &v.verdicts)
	for i := range b.Len() {
		order := b.OrderOf(i)
		if v.limits.Closed && !b.Closed[i] {
			v.verdicts.Keep[i] = false
		}
		n := v.saw.at(order)
		n.Counted++
		if !b.Descend[i] {
			n.Pruned++
		}
		if v.verdicts.Keep[i] {
			n.Kept++
			if v.sharing != nil {
				n.Share += v.sharing.share(v.verdicts.Score[i])
			}
		}
	}
}

// fill sets the entry to extension i, but for its code.
func (v *judge) fill(b *index.Batch, i int) {
	e := &v.entry
	e.Score, e.Weight = v.verdicts.Score[i], v.verdicts.Weight[i]
	e.Stats = append(e.Stats[:0], float64(b.Support[i]), float64(b.Occ[i]))
	e.Stats = append(e.Stats, v.verdicts.Stats[i*v.columns:(i+1)*v.columns]...)
}

// take takes what was kept from the budget; of the best so many there is none.
func (v *judge) take() error {
	n := v.taken
	v.taken = 0
	if v.at.most > 0 {
		return nil
	}
	return v.budget.take(n)
}

// finish implements rangeVisitor.
func (v *judge) finish() error {
	if c, ok := v.by.(counting); ok {
		c.flush(&v.verdicts)
	}
	if err := v.take(); err != nil {
		return err
	}
	if !v.inOrder {
		return nil
	}
	return v.out.finish()
}
