package rerank

import (
	"encoding/binary"
	"math"
	"slices"

	"fstore/index"
	"fstore/mine/learn/svm"
)

// packed has the trees of a list, merged into components (common parts) if the kernel can compare components.
type packed struct {
	trees  []item
	merged index.Merged // nil if each tree is a component
	class  []int        // by component: its class; components of one class are in the same trees, equally often
	having [][]having   // by class: the trees that have the components of the class
	exact  bool         // compute each kernel separately: nothing is merged, or a scale does not fit
}

// having says how often a tree has a component: `n` is the count, times the tree's scale.
type having struct {
	tree int
	n    float64
}

func (e *evaluator) pack(trees []item) *packed {
	p := &packed{trees: trees, exact: e.merging == nil}
	scales := make([]float64, len(trees))
	var prepared []any
	for t := range trees {
		var ok bool
		scales[t], ok = e.of.ScaleOf(trees[t].self)
		p.exact = p.exact || !ok
		prepared = append(prepared, trees[t].prepared)
	}
	switch {
	case p.exact:
	case e.pairing == nil:
		for t := range trees {
			p.class = append(p.class, t)
			p.having = append(p.having, []having{{t, scales[t]}})
		}
	default:
		p.merged = e.pairing.Merge(prepared)
		p.classify(scales)
	}
	return p
}

// classify finds which trees have each component. Components with the same trees and counts make one class.
func (p *packed) classify(scales []float64) {
	places := make([][]byte, p.merged.Components()) // by component: the trees that have it, and the counts
	for t := range p.trees {
		components, counts := p.merged.Of(t)
		for k, c := range components {
			places[c] = binary.AppendUvarint(binary.AppendUvarint(places[c], uint64(t)), uint64(counts[k]))
		}
	}
	known := map[string]int{}
	for _, at := range places {
		class, ok := known[string(at)]
		if !ok {
			class = len(p.having)
			known[string(at)] = class
			var all []having
			for len(at) > 0 {
				t, n := binary.Uvarint(at)
				count, m := binary.Uvarint(at[n:])
				all = append(all, having{int(t), scales[t] * float64(count)})
				at = at[n+m:]
			}
			p.having = append(p.having, all)
		}
		p.class = append(p.class, class)
	}
}

// total adds the contribution of the corrections m.steps[from:] to the scores of the trees of p.
func (e *evaluator) total(scores []float64, p *packed, m *machine, from int) error {
	done := 0
	for _, b := range m.blocks {
		if first := max(from, b.first); first < b.end {
			rows, err := e.rows(p, m, b, first, false)
			if err != nil {
				return err
			}
			for t, x := range rows {
				scores[t] += x
			}
		}
		done = b.end
	}
	var err error
	for i := max(from, done); i < len(m.steps) && err == nil; i++ {
		err = e.exactly(scores, p, &m.steps[i])
	}
	return err
}

// each calls f for each correction of m, in order, with what the correction adds to the score of each tree of
// p. The slice is valid during the call.
func (e *evaluator) each(p *packed, m *machine, f func(s *step, changes []float64)) error {
	n, done := len(p.trees), 0
	for _, b := range m.blocks {
		rows, err := e.rows(p, m, b, b.first, true)
		if err != nil {
			return err
		}
		for i := b.first; i < b.end; i++ {
			f(&m.steps[i], rows[:n])
			rows = rows[n:]
		}
		done = b.end
	}
	for i := done; i < len(m.steps); i++ {
		e.changed = append(e.changed[:0], make([]float64, n)...)
		if err := e.exactly(e.changed, p, &m.steps[i]); err != nil {
			return err
		}
		f(&m.steps[i], e.changed)
	}
	return nil
}

// rows returns what the corrections m.steps[from:b.end] add to the scores of p's trees. With byStep, each
// correction has its own row; without, one row has the sums. The result is valid until the next call.
func (e *evaluator) rows(p *packed, m *machine, b *block, from int, byStep bool) ([]float64, error) {
	n, classes, count := len(p.trees), len(p.having), 1
	if byStep {
		count = b.end - from
	}
	e.changed = append(e.changed[:0], make([]float64, n*count)...)
	if !p.exact && b.merged != nil {
		e.sums = append(e.sums[:0], make([]float64, classes*count)...)
		e.compare(p, b, func(x, y uint32, v float64) {
			at := p.class[x]
			for _, u := range b.uses[y] {
				switch {
				case u.step < from:
				case byStep:
					e.sums[(u.step-from)*classes+at] += float64(u.n * v) // not fused: the same everywhere
				default:
					e.sums[at] += float64(u.n * v)
				}
			}
		})
		if p.expand(e.changed, e.sums) {
			return e.changed, nil
		}
		clear(e.changed)
	}
	for i := from; i < b.end; i++ {
		row := e.changed[:n]
		if byStep {
			row = e.changed[(i-from)*n:][:n]
		}
		if err := e.exactly(row, p, &m.steps[i]); err != nil {
			return nil, err
		}
	}
	return e.changed, nil
}

// expand adds the sum of each class to the trees of the class in `rows` (see packed.class and packed.having).
// It returns false if a sum is not finite.
func (p *packed) expand(rows, sums []float64) bool {
	for ; len(sums) > 0; rows, sums = rows[len(p.trees):], sums[len(p.having):] {
		for class, x := range sums[:len(p.having)] {
			if x == 0 {
				continue
			}
			if x-x != 0 {
				return false
			}
			for _, h := range p.having[class] {
				rows[h.tree] += float64(x * h.n)
			}
		}
	}
	return true
}

// compare calls f(x, y, v) for components x of p and y of b, with their kernel v. It leaves out components of
// b without uses.
func (e *evaluator) compare(p *packed, b *block, f func(x, y uint32, v float64)) {
	if p.merged != nil {
		e.pairing.Pairs(p.merged, b.merged, b.wanted, f)
		return
	}
	n := b.merged.Components()
	e.found = slices.Grow(e.found[:0], n)[:n]
	for t := range p.trees {
		e.merging.Sums(e.found, b.merged, p.trees[t].prepared)
		for y, v := range e.found {
			if b.wanted[y] {
				f(uint32(t), uint32(y), v)
			}
		}
	}
}

// exactly adds value(t, s.target) - value(t, s.other) to row[t], for each tree t of p.
func (e *evaluator) exactly(row []float64, p *packed, s *step) error {
	for t := range p.trees {
		plus, err := e.value(&p.trees[t], s.target)
		if err != nil {
			return err
		}
		minus, err := e.value(&p.trees[t], s.other)
		if err != nil {
			return err
		}
		row[t] += plus - minus
	}
	return nil
}

// value returns K(x, y). The error is svm.ErrTooLarge if K(x, y) does not fit into a float64.
func (e *evaluator) value(x, y *item) (float64, error) {
	k := e.kernel.Eval(x.prepared, y.prepared)
	if e.of.Normalize {
		return index.Normalized(k, x.self, y.self), nil
	}
	v := k.Float()
	if math.IsInf(v, 0) {
		return v, svm.ErrTooLarge
	}
	return v, nil
}
