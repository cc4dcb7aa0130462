// Package restricted restricts the kernel of a space to some fragments (Suzuki & Isozaki 2005, eq. 2). The
// kernel is the dot product of the values that the space's matcher finds for these fragments in two trees. If
// the trees have no other fragments in common, it equals the space's own kernel.
package restricted

import (
	"errors"
	"math"

	"fstore/index"
)

// ErrTooLarge says that a fragment's value in a tree is too large for a float64.
var ErrTooLarge = errors.New("the value of a fragment is too large for a float64: lower lambda")

// kernel is an index.Kernel and an index.Merging. It evaluates one tree against many trees by an inverted
// index of the many vectors.
type kernel struct {
	space  index.Space
	x      index.Automaton
	syms   *index.Symbols
	match  index.Matcher // nil before the first Prepare
	lambda float64
	offset float64 // the constant that the space's kernel adds to the dot product
}

// NewKernel returns the kernel of a space over the fragments of x, for one goroutine. `s` has the symbols of
// x. Prepared trees do not refer to x or s.
func NewKernel(space index.Space, x index.Automaton, s *index.Symbols, lambda float64) index.Merging {
	k := &kernel{space: space, x: x, syms: s, lambda: lambda}
	if o, ok := space.NewKernel(s, lambda).(index.Offset); ok {
		k.offset = o.Offset()
	}
	return k
}

// vector is a prepared tree: the features it has, with their values.
type vector struct {
	id    []uint32 // ascending
	value []float64
}

// Prepare implements index.Kernel. A tree that needs more than index.DefaultBudget visits is an
// index.BudgetError.
func (k *kernel) Prepare(t *index.Tree) (any, error) {
	if k.match == nil {
		k.match = k.space.NewMatcher(k.x, k.syms, k.lambda)
	}
	hits, err := k.match.Match(t, index.DefaultBudget)
	if err != nil {
		return nil, err
	}
	v := &vector{make([]uint32, len(hits)), make([]float64, len(hits))}
	for i := range hits {
		h := &hits[i]
		v.id[i], v.value[i] = h.ID, index.Value(k.space, int(h.Order), h.Match, k.lambda)
		if math.IsInf(v.value[i], 0) {
			return nil, ErrTooLarge
		}
	}
	return v, nil
}

// Eval implements index.Kernel.
func (k *kernel) Eval(a, b any) index.Number {
	x, y := a.(*vector), b.(*vector)
	sum := k.offset
	common(x, y, func(p, q float64) { sum += float64(p * q) })
	if !math.IsInf(sum, 0) {
		return index.NumberOf(sum)
	}
	big := index.NumberOf(k.offset)
	common(x, y, func(p, q float64) { big = big.Add(index.NumberOf(p).Mul(index.NumberOf(q))) })
	return big
}

// common calls f with the values of each feature that both vectors have, by ascending feature. index.Shared
// would be slower, because it makes a call for each comparison.
func common(x, y *vector, f func(p, q float64)) {
	for i, j := 0, 0; i < len(x.id) && j < len(y.id); {
		switch a, b := x.id[i], y.id[j]; {
		case a < b:
			i++
		case a > b:
			j++
		default:
			f(x.value[i], y.value[j])
			i, j = i+1, j+1
		}
	}
}
