package emb

import (
	"fmt"
	"math"
	"slices"

	"fstore/index"
)

// kernel sums λ^(nodes skipped) over the pairs of embeddings of a common fragment (index/README.md, "seq,
// emb"). R(v,u) is the sum for embeddings with their roots at nodes v and u. W(F,G) is the sum for two
// forests, where a fragment can have several roots side by side, or none:
//
//	R(v,u)   = [labels equal] · W(what is below v, what is below u)
//	W(F,G)   = (1-λ) · W(F",G) + λ · W(F',G) + C(F,G)
//	C(F,G)   = (1-λ) · C(F,G") + λ · C(F,G') + R(v,u) · W(F",G")
//
// In W and C:
//   - v is the first node of the forest F, and u the first node of G
//   - F' is F without v, and G' is G without u
//   - F" is F without the tree of v, and G" is G without the tree of u
//   - C is the part of W in which the first root is at v
//
// No term is negative, so nothing cancels. In preorder, F, F' and F" are intervals of nodes with the same
// end. So one table of W serves all pairs of nodes whose subtrees have the same two ends (Zhang and Shasha
// 1989).
type kernel struct {
	s      *Space
	lambda float64
	plan   planter
	a, b   [2]pruned // a pair of trees without their pruned nodes, and their mirror images
	float  evaluator[index.Float]
	big    evaluator[index.Number]
}

// NewKernel implements index.Space.
func (s *Space) NewKernel(_ *index.Symbols, lambda float64) index.Kernel {
	return &kernel{s: s, lambda: lambda, plan: planter{s: s}}
}

// Prepare implements index.Kernel. If the tree is too large, the error is a *SizeError.
func (k *kernel) Prepare(t *index.Tree) (any, error) {
	if t.Unparsed() {
		return nil, index.ErrUnparsed
	}
	p := &k.plan
	p.plan(t)
	n := len(p.Label)
	if n > maxNodes {
		return nil, &SizeError{n}
	}
	x := &prepared{label: slices.Clone(p.Label), end: make([]int32, n), parent: make([]int32, n), depth: make([]int32, n)}
	for i := range n {
		x.end[i] = int32(i) + p.Size[i]
		x.parent[i] = -1
	}
	for i := range x.end {
		for c := int32(i) + 1; c < x.end[i]; c = x.end[c] {
			x.parent[c], x.depth[c] = int32(i), x.depth[i]+1
		}
	}
	x.each = slices.Clone(x.label)
	slices.Sort(x.each)
	x.each = slices.Compact(x.each)
	k.a[0].prune(x, x)
	k.a[1].mirror(&k.a[0])
	if k.a[0].span*k.a[1].span > maxSteps {
		return nil, &SizeError{n}
	}
	return x, nil
}

// Limits for one tree, so that a pair of trees needs at most maxNodes² values and maxSteps steps.
const (
	maxNodes = 1 << 12
	maxSteps = 1 << 32
)

// SizeError says that a tree is too large for the kernel.
type SizeError struct{ nodes int }

func (e *SizeError) Error() string {
	if e.nodes > maxNodes {
		return fmt.Sprintf("a tree of %s nodes is too large for the kernel: more than %s", index.Thousands(e.nodes), index.Thousands(maxNodes))
	}
	return fmt.Sprintf("a tree of %s nodes that branches as this one is too large for the kernel: more than %s steps", index.Thousands(e.nodes), index.Thousands(maxSteps))
}

// Eval implements index.Kernel. It mirrors both trees if this saves work, because the value stays the same.
func (k *kernel) Eval(x, y any) index.Number {
	k.a[0].prune(x.(*prepared), y.(*prepared))
	k.b[0].prune(y.(*prepared), x.(*prepared))
	k.a[1].mirror(&k.a[0])
	k.b[1].mirror(&k.b[0])
	way := 0
	if k.a[1].span*k.b[1].span < k.a[0].span*k.b[0].span {
		way = 1
	}
	a, b := &k.a[way], &k.b[way]
	sum := float64(k.float.sum(a, b, k.lambda, func(x float64) index.Float { return index.Float(x) }))
	if !math.IsInf(sum, 0) && !math.IsNaN(sum) {
		return index.NumberOf(sum)
	}
	return k.big.sum(a, b, k.lambda, index.NumberOf)
}

// evaluator computes the sums that the type `kernel` defines, for one pair of trees.
type evaluator[T index.Arithmetic[T]] struct {
	a, b                *pruned
	zero, one, take, up T   // 0, 1, λ, 1-λ
	r                   []T // R(v,u), if labels are equal, at v·(nodes of b)+u
	w                   []T // W, by the beginnings of the two intervals
	width               int // the length of a row of w
	first               []T // C for the present v, by the beginning of the second interval
}

func (e *evaluator[T]) sum(a, b *pruned, lambda float64, of func(float64) T) (total T) {
	e.a, e.b = a, b
	e.zero, e.one, e.take, e.up = of(0), of(1), of(lambda), of(1-lambda)
	size := len(a.label) * len(b.label)
	e.r = slices.Grow(e.r[:0], size)[:size]
	// Go from right to left: a pair needs the results of pairs further right.
	for i := len(a.spines) - 1; i >= 0; i-- {
		for j := len(b.spines) - 1; j >= 0; j-- {
			total = total.Add(e.pair(a.spines[i], b.spines[j]))
		}
	}
	return total
}

// pair computes R (see kernel) for each pair of nodes that e.equal(v, u) finds, and returns the sum.
func (e *evaluator[T]) pair(v, u int32) (sum T) {
	vEnd, uEnd := e.a.end[v], e.b.end[u]
	v0, u0 := vEnd, uEnd
	e.equal(v, u, func(v, u int32) { v0, u0 = min(v0, v+1), min(u0, u+1) })
	if v0 == vEnd && u0 == uEnd {
		// On the two spines, only leaves have equal labels. R(v,u) of two leaves is 1.
		e.equal(v, u, func(v, u int32) { sum = e.set(v, u, e.one) })
		return sum
	}
	e.fill(v0, vEnd, u0, uEnd)
	e.equal(v, u, func(v, u int32) {
		sum = sum.Add(e.set(v, u, e.w[int(v+1-v0)*e.width+int(u+1-u0)]))
	})
	return sum
}

// equal calls f for each pair of equally labelled nodes on the spines from v and u (see pruned). It skips
// nodes with label 0.
func (e *evaluator[T]) equal(v, u int32, f func(v, u int32)) {
	for ; v >= 0; v = e.a.next[v] {
		label := e.a.label[v]
		if label == 0 {
			continue
		}
		for u := u; u >= 0; u = e.b.next[u] {
			if e.b.label[u] == label {
				f(v, u)
			}
		}
	}
}

// set stores r as R(v,u), and returns it.
func (e *evaluator[T]) set(v, u int32, r T) T {
	e.r[int(v)*len(e.b.label)+int(u)] = r
	return r
}

// fill computes W (see kernel) for all intervals [v, vEnd) and [u, uEnd) with v ≥ v0 and u ≥ u0.
func (e *evaluator[T]) fill(v0, vEnd, u0, uEnd int32) {
	e.width = int(uEnd-u0) + 1
	size := (int(vEnd-v0) + 1) * e.width
	e.w = slices.Grow(e.w[:0], size)[:size]
	e.first = slices.Grow(e.first[:0], e.width)[:e.width]
	for i := range e.width { // an empty forest has only the empty sequence
		e.w[size-e.width+i] = e.one
	}
	for v := vEnd - 1; v >= v0; v-- {
		row := e.w[int(v-v0)*e.width:][:e.width]
		below := e.w[int(v+1-v0)*e.width:][:e.width]        // W for F'
		after := e.w[int(e.a.end[v]-v0)*e.width:][:e.width] // W for F"
		r := e.r[int(v)*len(e.b.label):][:len(e.b.label)]   // R for v
		label, sameEnd := e.a.label[v], e.a.end[v] == vEnd  // the label of v, and whether its subtree ends at vEnd
		row[e.width-1], e.first[e.width-1] = e.one, e.zero
		for u := uEnd - 1; u >= u0; u-- {
			at, end := int(u-u0), int(e.b.end[u]-u0)
			c := e.up.Mul(e.first[end]).Add(e.take.Mul(e.first[at+1]))
			if label != 0 && label == e.b.label[u] {
				x := below[at+1] // R of two nodes on the present spines
				if !sameEnd || e.b.end[u] != uEnd {
					x = r[u]
				}
				c = c.Add(x.Mul(after[end]))
			}
			e.first[at] = c
			row[at] = e.up.Mul(after[at]).Add(e.take.Mul(below[at])).Add(c)
		}
	}
}
