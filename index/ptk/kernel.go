package ptk

import (
	"math"
	"slices"

	"fstore/index"
	"fstore/index/internal/treekernel"
)

// prepare returns the nodes of t and their labels, as the kernel reads them.
func prepare(t *index.Tree) *treekernel.Tree {
	label, kid := make([]uint32, len(t.Nodes)), make([]uint32, 1, len(t.Nodes)+1)
	var kids []int32
	for i := range t.Nodes {
		label[i] = labelOf(&t.Nodes[i])
		for k := i + 1; k < i+int(t.Nodes[i].Size); k += int(t.Nodes[k].Size) {
			kids = append(kids, int32(k))
		}
		kid = append(kid, uint32(len(kids)))
	}
	p := treekernel.New(label, kid, kids)
	return &p
}

// kernel sums Δ(p,q) (see the package comment) over the pairs of nodes with equal labels. E(i,j) is the part
// of the sum in Δ(p,q) for subsequences that end with child i of p and child j of q:
//
//	E(i,j) = Δ(i,j) · (1 + P(i-1,j-1)), if their labels are equal, else 0
//	P(i,j) = Σ over i' ≤ i, j' ≤ j of λ^(i-i' + j-j') · E(i',j')
//
// (Moschitti 2006 §3.2 sums length by length, which is needed only if the length is bounded.)
type kernel struct {
	mu, lambda float64
	group      []int32 // by label of a: its index among b's labels, or -1
	small      evaluator[float64]
	big        evaluator[index.Number]
}

// NewKernel implements index.Space.
func (s *Space) NewKernel(_ *index.Symbols, lambda float64) index.Kernel {
	return &kernel{mu: s.mu, lambda: lambda}
}

// Prepare implements index.Kernel.
func (k *kernel) Prepare(t *index.Tree) (any, error) { return prepare(t), nil }

// leastSmall is the least sum for which float64 is used. In smaller sums, single terms can be too small for a
// float64.
const leastSmall = 1e-200

// Eval implements index.Kernel. Its result is exact to float64 precision, and cannot overflow.
func (k *kernel) Eval(x, y any) index.Number {
	a, b := x.(*treekernel.Tree), y.(*treekernel.Tree)
	var any bool
	if k.group, any = a.Match(k.group[:0], b); !any {
		return index.Number{}
	}
	if sum := k.evalSmall(a, b); sum >= leastSmall && !math.IsInf(sum, 0) {
		return index.NumberOf(sum)
	}
	return k.evalBig(a, b)
}

func (k *kernel) evalSmall(a, b *treekernel.Tree) (sum float64) {
	square := float64(k.lambda * k.lambda)
	leaf := float64(k.mu * square)
	k.small.Pairs(a, b, k.group, func(i, _ int32, with []int32) {
		kids := a.Kids(i)
		if len(kids) == 0 {
			sum += float64(leaf * float64(len(with)))
			return
		}
		row := k.small.Take(i, len(with))
		for n, j := range with {
			row[n] = float64(k.mu * (square + k.subsequences(a, b, kids, b.Kids(j), leaf)))
			sum += row[n]
		}
	})
	return sum
}

// subsequences returns the sum of E(x,y) over all children x in xs and y in ys. For E, see kernel.
func (k *kernel) subsequences(a, b *treekernel.Tree, xs, ys []int32, leaf float64) (sum float64) {
	above := slices.Grow(k.small.above[:0], len(ys))[:len(ys)] // P(i-1,j) for all j
	clear(above)
	for _, x := range xs {
		delta := k.small.Of[x]
		diagonal, left := 0.0, 0.0 // P(i-1,j-1), and Σ λ^(j-j')·E(i,j')
		for n, y := range ys {
			left = float64(left * k.lambda)
			if a.Sym[x] == b.Sym[y] {
				e := leaf
				if delta != nil {
					e = delta[b.Rank[y]]
				}
				e = float64(e * (1 + diagonal))
				sum += e
				left += e
			}
			diagonal = above[n]
			above[n] = float64(k.lambda*diagonal) + left
		}
	}
	k.small.above = above
	return sum
}

// evalBig is evalSmall with index.Number, for values beyond float64.
func (k *kernel) evalBig(a, b *treekernel.Tree) (sum index.Number) {
	lambda, mu := index.NumberOf(k.lambda), index.NumberOf(k.mu)
	square := lambda.Mul(lambda)
	leaf := mu.Mul(square)
	k.big.Pairs(a, b, k.group, func(i, _ int32, with []int32) {
		kids := a.Kids(i)
		if len(kids) == 0 {
			sum = sum.Add(leaf.Mul(index.NumberOf(float64(len(with)))))
			return
		}
		row := k.big.Take(i, len(with))
		for n, j := range with {
			row[n] = mu.Mul(square.Add(k.subsequencesBig(a, b, kids, b.Kids(j), leaf)))
			sum = sum.Add(row[n])
		}
	})
	return sum
}

// subsequencesBig is like the method `subsequences`, but with index.Number.
func (k *kernel) subsequencesBig(a, b *treekernel.Tree, xs, ys []int32, leaf index.Number) (sum index.Number) {
	lambda, one := index.NumberOf(k.lambda), index.NumberOf(1)
	above := slices.Grow(k.big.above[:0], len(ys))[:len(ys)]
	clear(above)
	for _, x := range xs {
		delta := k.big.Of[x]
		var diagonal, left index.Number
		for n, y := range ys {
			left = left.Mul(lambda)
			if a.Sym[x] == b.Sym[y] {
				e := leaf
				if delta != nil {
					e = delta[b.Rank[y]]
				}
				e = e.Mul(one.Add(diagonal))
				sum = sum.Add(e)
				left = left.Add(e)
			}
			diagonal = above[n]
			above[n] = lambda.Mul(diagonal).Add(left)
		}
	}
	k.big.above = above
	return sum
}

// evaluator keeps values of Δ for pairs of nodes with equal labels.
type evaluator[T any] struct {
	treekernel.Rows[T]
	above []T // scratch of subsequences
}
