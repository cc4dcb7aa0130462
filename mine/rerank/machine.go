package rerank

import (
	"math"

	"fstore/index"
	"fstore/mine/svm"
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
	for from < len(m.steps) {
		if block := from / mergedSteps; block < len(m.merged) && from%mergedSteps == 0 {
			sums := e.against(x, m.merged[block])
			for k := range m.steps[from : from+mergedSteps] {
				s := &m.steps[from+k]
				plus, err := e.scaled(sum(sums, m.merged[block], 2*k), x, s.target)
				if err != nil {
					return dst, err
				}
				minus, err := e.scaled(sum(sums, m.merged[block], 2*k+1), x, s.other)
				if err != nil {
					return dst, err
				}
				dst = append(dst, plus-minus)
			}
			from += mergedSteps
			continue
		}
		s := &m.steps[from]
		plus, err := e.value(x, s.target)
		if err != nil {
			return dst, err
		}
		minus, err := e.value(x, s.other)
		if err != nil {
			return dst, err
		}
		dst = append(dst, plus-minus)
		from++
	}
	return dst, nil
}

// against evaluates x against the components of merged trees.
func (e *evaluator) against(x *item, m index.Merged) []float64 {
	if n := m.Components(); cap(e.sums) < n {
		e.sums = make([]float64, n)
	}
	e.sums = e.sums[:m.Components()]
	e.merging.Sums(e.sums, m, x.prepared)
	return e.sums
}

// sum is the kernel with tree i of m.
func sum(sums []float64, m index.Merged, i int) (k float64) {
	components, counts := m.Of(i)
	for n, c := range components {
		k += float64(float64(counts[n]) * sums[c])
	}
	return k
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
