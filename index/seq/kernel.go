package seq

import (
	"math"

	"fstore/index"
)

// kernel sums λ^(words skipped) over the pairs of matches of a common fragment. T(i,j) is the sum over the
// pairs that end at word i of one sample and word j of the other, for fragments of at most n symbols:
//
//	T(i,j) = [symbols equal] · (1 + Σ over i' < i, j' < j, with gaps ≤ max-gap, of λ^(i-i'-1 + j-j'-1) · T'(i',j'))
//
// T' is T for at most n-1 symbols, or T itself if n has no limit. (SI05 writes J for T', and J' for the
// double sum, in equations (6) and (7).)
type kernel struct {
	s      *Space
	lambda float64
	float  evaluator[index.Float]
	big    evaluator[index.Number]
}

// NewKernel implements index.Space.
func (s *Space) NewKernel(_ *index.Symbols, lambda float64) index.Kernel {
	return &kernel{s: s, lambda: lambda}
}

// Prepare implements index.Kernel. A prepared sample is its list of symbols.
func (k *kernel) Prepare(t *index.Tree) (any, error) {
	var q sequence
	k.s.read(t, &q)
	return q.syms, nil
}

// Eval implements index.Kernel.
func (k *kernel) Eval(x, y any) index.Number {
	a, b := x.([]uint32), y.([]uint32)
	sum := float64(k.float.sum(k, a, b, func(x float64) index.Float { return index.Float(x) }))
	if !math.IsInf(sum, 0) && !math.IsNaN(sum) {
		return index.NumberOf(sum)
	}
	return k.big.sum(k, a, b, index.NumberOf)
}

// evaluator computes T (see kernel) for a pair of samples. The next pair reuses its slices.
type evaluator[T index.Arithmetic[T]] struct {
	n       int    // the number of words of b
	t       []T    // T(i,j) at i·n+j
	right   []T    // Σ over j' of λ^(j-j'-1) · T'(i,j'), at i·n+j
	both    []T    // the double sum for the present i, by j
	power   []T    // powers of λ
	gap     int    // the largest gap
	any     []bool // by word of a: b has its symbol
	bounded bool   // a sample is longer than the largest gap
}

func (e *evaluator[T]) sum(k *kernel, a, b []uint32, of func(float64) T) (total T) {
	one := of(1)
	if !e.start(a, b, one) {
		return total
	}
	longest := max(len(a), len(b))
	e.gap, e.bounded = min(k.s.maxGap, longest), k.s.maxGap < longest
	e.power = append(e.power[:0], one, of(k.lambda))
	for len(e.power) <= e.gap {
		e.power = append(e.power, e.power[len(e.power)-1].Mul(e.power[1]))
	}
	// Without a maximum length, one call of lengthen covers all lengths.
	times := 1
	if k.s.maxLength > 0 {
		times = min(k.s.maxLength, len(a), len(b)) - 1
	}
	for range times {
		e.lengthen(a, b, k.s.maxLength == 0, one)
	}
	for i := range a {
		for j := range b {
			if a[i] != 0 && a[i] == b[j] {
				total = total.Add(e.t[i*e.n+j])
			}
		}
	}
	return total
}

// start fills the table e.t for fragments of one symbol, and says whether the samples share a symbol.
func (e *evaluator[T]) start(a, b []uint32, one T) (any bool) {
	e.n = len(b)
	e.t = append(e.t[:0], make([]T, len(a)*e.n)...)
	e.right = append(e.right[:0], make([]T, len(a)*e.n)...)
	e.any = append(e.any[:0], make([]bool, len(a))...)
	for i, x := range a {
		for j, y := range b {
			if x != 0 && x == y {
				e.t[i*e.n+j] = one
				e.any[i], any = true, true
			}
		}
	}
	return any
}

// lengthen replaces the sums T in e.t (see kernel). The new sums allow fragments with one more symbol, or of
// any length if allLengths is set.
func (e *evaluator[T]) lengthen(a, b []uint32, allLengths bool, one T) {
	e.both = append(e.both[:0], make([]T, e.n)...)
	for i, x := range a {
		if i > 0 {
			e.advance(i)
		}
		if !e.any[i] {
			continue
		}
		row, right := e.t[i*e.n:(i+1)*e.n], e.right[i*e.n:(i+1)*e.n]
		if !allLengths {
			e.toTheRight(right, row)
		}
		for j, y := range b {
			if x == y {
				row[j] = one.Add(e.both[j])
			}
		}
		if allLengths {
			e.toTheRight(right, row)
		}
	}
}

// advance computes e.both for row i > 0, from the rows of e.right before row i.
func (e *evaluator[T]) advance(i int) {
	if !e.bounded {
		for j, r := range e.right[(i-1)*e.n : i*e.n] {
			e.both[j] = e.both[j].Mul(e.power[1]).Add(r)
		}
		return
	}
	clear(e.both)
	for d := range min(e.gap+1, i) {
		before := i - 1 - d
		if !e.any[before] {
			continue
		}
		for j, r := range e.right[before*e.n : (before+1)*e.n] {
			e.both[j] = e.both[j].Add(r.Mul(e.power[d]))
		}
	}
}

// toTheRight sets totals[j] to the sum of row[:j], each value decayed by its distance from j. Values beyond
// the largest gap do not count.
func (e *evaluator[T]) toTheRight(totals, row []T) {
	var sum T
	for j := range row {
		totals[j] = sum
		if !e.bounded {
			sum = sum.Mul(e.power[1]).Add(row[j])
			continue
		}
		sum = row[j]
		for d := 1; d <= min(e.gap, j); d++ {
			sum = sum.Add(row[j-d].Mul(e.power[d]))
		}
	}
}
