package rerank

import (
	"math"
	"slices"

	"fstore/index"
	"fstore/mine/learn/svm"
)

// machine is the corrections of one chunk. Where the kernel evaluates a tree against many at
// once, their trees are merged, so many corrections at a time.
type machine struct {
	steps  []step
	merged []index.Merged // of the targets and the others, in turn, of mergedSteps steps each
}

// mergedSteps is how many corrections are merged: while a machine learns, those after the last
// so many are looked at one by one.
const mergedSteps = 64

// add appends a correction.
func (m *machine) add(e *evaluator, s step) {
	m.steps = append(m.steps, s)
	n := len(m.steps)
	if e.merging == nil || n%mergedSteps > 0 {
		return
	}
	var trees []any
	for _, s := range m.steps[n-mergedSteps:] {
		trees = append(trees, s.target.prepared, s.other.prepared)
	}
	m.merged = append(m.merged, e.merging.Merge(trees))
}

// changes appends to dst what each correction from the one numbered from on adds to the score
// of a tree.
func (e *evaluator) changes(dst []float64, x *item, m *machine, from int) ([]float64, error) {
	var block index.Merged // that the correction is in, where all of that is wanted
	value := func(y *item, side int) (float64, error) {
		if block == nil {
			return e.value(x, y)
		}
		return e.scaled(index.SumOf(block, e.sums, 2*(from%mergedSteps)+side), x, y)
	}
	for ; from < len(m.steps); from++ {
		if from%mergedSteps == 0 {
			block = nil
			if n := from / mergedSteps; n < len(m.merged) {
				block = m.merged[n]
				e.against(x, block)
			}
		}
		plus, err := value(m.steps[from].target, 0)
		if err != nil {
			return dst, err
		}
		minus, err := value(m.steps[from].other, 1)
		if err != nil {
			return dst, err
		}
		dst = append(dst, plus-minus)
	}
	return dst, nil
}

// against evaluates x against the components of merged trees, into e.sums.
func (e *evaluator) against(x *item, m index.Merged) {
	n := m.Components()
	e.sums = slices.Grow(e.sums[:0], n)[:n]
	e.merging.Sums(e.sums, m, x.prepared)
}

// scaled is value, where the kernel is known, as far as a float64 holds it.
func (e *evaluator) scaled(k float64, x, y *item) (float64, error) {
	switch {
	case math.IsInf(k, 0) || math.IsNaN(k):
		return e.value(x, y)
	case e.normalize:
		return index.Normalized(index.NumberOf(k), x.self, y.self), nil
	}
	return k, nil
}

// value is K(x, y).
func (e *evaluator) value(x, y *item) (float64, error) {
	k := e.kernel.Eval(x.prepared, y.prepared)
	if e.normalize {
		return index.Normalized(k, x.self, y.self), nil
	}
	v := k.Float()
	if math.IsInf(v, 0) {
		return v, svm.ErrTooLarge
	}
	return v, nil
}
