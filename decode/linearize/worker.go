package linearize

import (
	"errors"
	"fmt"
	"math"

	"fstore/decode/vector"
	"fstore/index"
	"fstore/index/expansion"
)

// Worker makes vectors, for one goroutine. After the first trees it allocates no memory, except for kernel
// normalisation.
type Worker struct {
	l       *Linearizer
	Columns []columnsWorker
}

// columnsWorker makes the part of a vector that belongs to one feature set.
type columnsWorker struct {
	*columns
	o       *Options
	match   index.Matcher
	kernel  index.Kernel // only for NormalizeKernel
	Scale   float64      // the factor by which kernel normalisation multiplied the last tree's values
	byOrder []float64    // order → value of a fragment of that order that occurs once
}

// NewWorker returns a worker for one goroutine.
func (l *Linearizer) NewWorker() *Worker {
	w := &Worker{l: l}
	for _, c := range l.Columns {
		cw := columnsWorker{columns: c, o: &l.O, match: c.Space.NewMatcher(c.X, l.Syms, l.O.Lambda)}
		if l.O.Normalize == NormalizeKernel {
			cw.kernel = c.Space.NewKernel(l.Syms, l.O.Lambda)
		}
		w.Columns = append(w.Columns, cw)
	}
	return w
}

// TreeError says that a tree is too large for a vector. Other errors of Worker.Features come from the store.
type TreeError struct{ Err error }

func (e *TreeError) Error() string { return e.Err.Error() }

func (e *TreeError) Unwrap() error { return e.Err }

// Features sets the features and the name of v to those of t, but does not set the label. The symbols of t
// must come from ReaderSymbols. After a *TreeError the worker can be used for other trees.
func (w *Worker) Features(t *index.Tree, v *vector.Vector) error {
	v.Sample = t.Name
	v.ID, v.Value = v.ID[:0], v.Value[:0]
	for i := range w.Columns {
		if err := w.Columns[i].features(t, v); err != nil {
			return err
		}
	}
	if w.l.O.Normalize == NormalizeL2 {
		normalizeL2(v.Value)
	}
	return nil
}

func (c *columnsWorker) features(t *index.Tree, v *vector.Vector) error {
	hits, err := c.match.Match(t, max(c.o.Budget, 0))
	if err != nil {
		var over index.BudgetError
		var many *index.OccurrenceError
		if errors.As(err, &over) || errors.As(err, &many) {
			return &TreeError{err}
		}
		return err
	}
	from := len(v.Value)
	if n := len(hits); n > 0 && (hits[0].ID == 0 || hits[n-1].ID > c.X.Features()) {
		// The last id is the largest, because ids are in ascending order. A damaged index can give any id.
		return fmt.Errorf("%w: a feature above its %d", expansion.ErrDamaged, c.X.Features())
	}
	for i := range hits {
		if c.Kept != nil {
			if hits[i].ID = c.Kept.Number(hits[i].ID); hits[i].ID == 0 {
				continue
			}
		}
		v.ID = append(v.ID, c.Base+hits[i].ID)
		v.Value = append(v.Value, c.value(&hits[i]))
	}
	if c.Scale = 1; c.kernel == nil {
		return nil
	}
	p, err := c.kernel.Prepare(t)
	if err != nil {
		return &TreeError{err}
	}
	if q, ok := c.kernel.(index.Quadratic); ok && c.o.Budget > 0 && q.SelfSteps(p) > c.o.Budget {
		return &TreeError{fmt.Errorf("more than %s pairs of like nodes in one tree: raise --budget, or do without --normalize kernel", index.Thousands(c.o.Budget))}
	}
	k := c.kernel.Eval(p, p)
	c.Scale = index.Normalized(index.NumberOf(1), k, index.NumberOf(1))
	for i, x := range v.Value[from:] {
		// K(t, t) can be too large for a float64. So the quotient is computed first, and then converted.
		v.Value[from+i] = index.Normalized(index.NumberOf(x), k, index.NumberOf(1))
	}
	return nil
}

func (c *columnsWorker) value(h *index.Hit) float64 {
	switch c.o.Weight {
	case Binary:
		return 1
	case Count:
		return h.Match.Count
	case TFIDF:
		return h.Match.Count * c.idf.weightOf(h.ID)
	}
	if h.Match.Count != 1 || h.Match.Weight != 0 {
		return index.Value(c.Space, int(h.Order), h.Match, c.o.Lambda)
	}
	for int(h.Order) >= len(c.byOrder) {
		c.byOrder = append(c.byOrder, index.Value(c.Space, len(c.byOrder), index.Match{Count: 1}, c.o.Lambda))
	}
	return c.byOrder[h.Order]
}

// normalizeL2 divides values by their length.
func normalizeL2(values []float64) {
	sum := 0.0
	for _, x := range values {
		sum += float64(x * x)
	}
	n := math.Sqrt(sum)
	if n == 0 {
		return
	}
	for i := range values {
		values[i] /= n
	}
}
