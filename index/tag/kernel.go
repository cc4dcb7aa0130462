package tag

import (
	"math"

	"fstore/index"
)

// kernel computes the sum of R(i,j) over each state i of one sample and each state j of the other
// (index/README.md, "tag"):
//
//	R(i,j) = λ · [tag equal] · (1 + [word equal]) · (1 + R(i+1,j+1))
//
// R(i,j) needs only R(i+1,j+1). So the kernel goes backwards along the diagonals of the table of i and j, in
// constant memory.
type kernel struct {
	s      Space
	lambda float64
}

// NewKernel implements index.Space.
func (s Space) NewKernel(_ *index.Symbols, lambda float64) index.Kernel {
	return &kernel{s, lambda}
}

// Prepare implements index.Kernel. A prepared tree is its list of states. Between two sequences the list has
// a state without a tag.
func (k *kernel) Prepare(t *index.Tree) (any, error) {
	var states []state
	k.s.each(t, func(_ int, st state) { states = append(states, st) })
	return states, nil
}

// Eval implements index.Kernel.
func (k *kernel) Eval(x, y any) index.Number {
	a, b := x.([]state), y.([]state)
	sum := 0.0
	diagonals(a, b, func(i, j int) {
		r := 0.0
		for ; i >= 0 && j >= 0; i, j = i-1, j-1 {
			if n := alike(a[i], b[j]); n != 0 {
				r = float64(float64(k.lambda*n) * (1 + r))
				sum += r
			} else {
				r = 0
			}
		}
	})
	if !math.IsInf(sum, 0) {
		return index.NumberOf(sum)
	}
	return k.large(a, b)
}

// large is Eval for values that are too large for a float64.
func (k *kernel) large(a, b []state) (sum index.Number) {
	one := index.NumberOf(1)
	diagonals(a, b, func(i, j int) {
		var r index.Number
		for ; i >= 0 && j >= 0; i, j = i-1, j-1 {
			if n := alike(a[i], b[j]); n != 0 {
				r = index.NumberOf(k.lambda * n).Mul(one.Add(r))
				sum = sum.Add(r)
			} else {
				r = index.Number{}
			}
		}
	})
	return sum
}

// diagonals calls f with the last cell of each diagonal of the table of a and b.
func diagonals(a, b []state, f func(i, j int)) {
	for i := range a {
		f(i, len(b)-1)
	}
	for j := range max(len(b)-1, 0) {
		f(len(a)-1, j)
	}
}

// alike is the number of fragments of order 1 that two states share.
func alike(x, y state) float64 {
	switch {
	case x.tag == 0 || x.tag != y.tag:
		return 0
	case x.word != 0 && x.word == y.word:
		return 2
	}
	return 1
}
