package ptk

import (
	"math"
	"slices"

	"fstore/index"
)

// prepared is a tree in the form that the kernel reads: its nodes in preorder.
type prepared struct {
	label []uint32
	kid   []uint32 // the children of i are kids[kid[i]:kid[i+1]]
	kids  []int32
	top   []bool   // of each node: it is no node's child
	each  []uint32 // distinct labels, ascending
	end   []uint32 // with[end[g]:end[g+1]] are the nodes with each[g], ascending
	with  []int32
	group []uint32 // of each node: where its label stands in each
	rank  []uint32 // of each node: its place among those with its label
}

func (p *prepared) kidsOf(i int32) []int32    { return p.kids[p.kid[i]:p.kid[i+1]] }
func (p *prepared) nodesWith(g int32) []int32 { return p.with[p.end[g]:p.end[g+1]] }

func prepare(t *index.Tree) *prepared {
	n := len(t.Nodes)
	p := &prepared{
		label: make([]uint32, n), kid: make([]uint32, 1, n+1), top: make([]bool, n),
		with: make([]int32, n), group: make([]uint32, n), rank: make([]uint32, n),
	}
	for i := range t.Nodes {
		p.label[i], p.top[i] = labelOf(&t.Nodes[i]), t.Nodes[i].Parent < 0
		for k := i + 1; k < i+int(t.Nodes[i].Size); k += int(t.Nodes[k].Size) {
			p.kids = append(p.kids, int32(k))
		}
		p.kid = append(p.kid, uint32(len(p.kids)))
	}
	p.each = slices.Clone(p.label)
	slices.Sort(p.each)
	p.each = slices.Compact(p.each)
	p.end = make([]uint32, len(p.each)+1)
	for i, l := range p.label {
		g, _ := slices.BinarySearch(p.each, l)
		p.group[i], p.rank[i] = uint32(g), p.end[g+1]
		p.end[g+1]++
	}
	for g := range p.each {
		p.end[g+1] += p.end[g]
	}
	for i := range p.label {
		p.with[p.end[p.group[i]]+p.rank[i]] = int32(i)
	}
	return p
}

// kernel is Σ Δ(p,q) over pairs of nodes with equal labels (see Space). The subsequences
// of the children are summed over all lengths at once, in the time of one pass over the
// pairs of children: with E(i,j) the sum over those that end with children i and j,
//
//	E(i,j) = Δ(i,j) · (1 + P(i-1,j-1)), if their labels are equal, else 0
//	P(i,j) = Σ over i' ≤ i, j' ≤ j of λ^(i-i' + j-j') · E(i',j')
//
// (Moschitti 2006 §3.2 sums length by length, which a bound on the length needs.)
type kernel struct {
	mu, lambda float64
	group      []int32 // of a's labels: where they stand among b's, -1
	small      evaluator[float64]
	big        evaluator[index.Number]
}

// NewKernel implements index.Space.
func (s *Space) NewKernel(_ *index.Symbols, lambda float64) index.Kernel {
	return &kernel{mu: s.mu, lambda: lambda}
}

// Prepare implements index.Kernel.
func (k *kernel) Prepare(t *index.Tree) (any, error) { return prepare(t), nil }

// leastSmall is the least sum whose terms float64 has held.
const leastSmall = 1e-200

// Eval implements index.Kernel. It is exact to float64, and does not overflow.
func (k *kernel) Eval(x, y any) index.Number {
	a, b := x.(*prepared), y.(*prepared)
	if !k.match(a, b) {
		return index.Number{}
	}
	if sum := k.evalSmall(a, b); sum >= leastSmall && !math.IsInf(sum, 0) {
		return index.NumberOf(sum)
	}
	return k.evalBig(a, b)
}

// match finds a's labels among b's.
func (k *kernel) match(a, b *prepared) (any bool) {
	k.group = k.group[:0]
	j := 0
	for _, l := range a.each {
		for j < len(b.each) && b.each[j] < l {
			j++
		}
		if j < len(b.each) && b.each[j] == l {
			k.group = append(k.group, int32(j))
			any = true
		} else {
			k.group = append(k.group, -1)
		}
	}
	return any
}

func (k *kernel) evalSmall(a, b *prepared) (sum float64) {
	square := float64(k.lambda * k.lambda)
	leaf := float64(k.mu * square)
	e := &k.small
	e.pairs(k, a, b, func(n int) { sum += float64(leaf * float64(n)) },
		func(i int32, with []int32) {
			row := e.take(i, len(with))
			for n, j := range with {
				row[n] = float64(k.mu * (square + k.subsequences(a, b, a.kidsOf(i), b.kidsOf(j), leaf)))
				sum += row[n]
			}
		})
	return sum
}

// subsequences is Σ E over the children xs of a node of a and ys of one of b.
func (k *kernel) subsequences(a, b *prepared, xs, ys []int32, leaf float64) (sum float64) {
	above := slices.Grow(k.small.above[:0], len(ys))[:len(ys)] // P of the row before
	clear(above)
	for _, x := range xs {
		delta := k.small.of[x]
		diagonal, left := 0.0, 0.0 // P(i-1,j-1), and Σ λ^(j-j')·E(i,j')
		for n, y := range ys {
			left = float64(left * k.lambda)
			if a.label[x] == b.label[y] {
				e := leaf
				if delta != nil {
					e = delta[b.rank[y]]
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

// evalBig is evalSmall with exponents of its own, for what float64 does not hold.
func (k *kernel) evalBig(a, b *prepared) (sum index.Number) {
	lambda, mu := index.NumberOf(k.lambda), index.NumberOf(k.mu)
	square := lambda.Mul(lambda)
	leaf := mu.Mul(square)
	e := &k.big
	e.pairs(k, a, b, func(n int) { sum = sum.Add(leaf.Mul(index.NumberOf(float64(n)))) },
		func(i int32, with []int32) {
			row := e.take(i, len(with))
			for n, j := range with {
				row[n] = mu.Mul(square.Add(k.subsequencesBig(a, b, a.kidsOf(i), b.kidsOf(j), leaf)))
				sum = sum.Add(row[n])
			}
		})
	return sum
}

// subsequencesBig is subsequences for evalBig.
func (k *kernel) subsequencesBig(a, b *prepared, xs, ys []int32, leaf index.Number) (sum index.Number) {
	lambda, one := index.NumberOf(k.lambda), index.NumberOf(1)
	above := slices.Grow(k.big.above[:0], len(ys))[:len(ys)]
	clear(above)
	for _, x := range xs {
		delta := k.big.of[x]
		var diagonal, left index.Number
		for n, y := range ys {
			left = left.Mul(lambda)
			if a.label[x] == b.label[y] {
				e := leaf
				if delta != nil {
					e = delta[b.rank[y]]
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

// evaluator keeps Δ of a node of a and the nodes of b with its label, no longer than
// until the parent has used it: memory is by the width of the trees, not by their size.
type evaluator[T any] struct {
	of    [][]T // by node of a; nil where Δ is that of a node without children
	free  [][]T
	above []T // scratch of subsequences
}

// take returns a row of length n for node i.
func (e *evaluator[T]) take(i int32, n int) []T {
	if k := len(e.free) - 1; k >= 0 {
		e.of[i] = e.free[k]
		e.free = e.free[:k]
	}
	e.of[i] = slices.Grow(e.of[i][:0], n)[:n]
	return e.of[i]
}

func (e *evaluator[T]) give(i int32) {
	if e.of[i] != nil {
		e.free = append(e.free, e.of[i])
		e.of[i] = nil
	}
}

// pairs goes through the nodes of a that have partners in b, from the last to the first,
// so that what is below a node is ready. leaf is told how many partners a node without
// children has, row the partners of any other.
func (e *evaluator[T]) pairs(k *kernel, a, b *prepared, leaf func(n int), row func(i int32, with []int32)) {
	for len(e.of) < len(a.label) {
		e.of = append(e.of, nil)
	}
	for i := int32(len(a.label)) - 1; i >= 0; i-- {
		kids := a.kidsOf(i)
		if g := k.group[a.group[i]]; g >= 0 {
			if with := b.nodesWith(g); len(kids) == 0 {
				leaf(len(with))
			} else {
				row(i, with)
			}
		}
		for _, x := range kids {
			e.give(x)
		}
		if a.top[i] {
			e.give(i)
		}
	}
}
