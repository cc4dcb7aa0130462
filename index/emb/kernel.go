package emb

import (
	"math"
	"slices"

	"fstore/index"
)

// kernel is the sum over pairs of embeddings of a common fragment of λ^(nodes skipped),
// by the nodes i and j that the root is laid on (ALGORITHMS.md §2.4):
//
//	R(i,j) = [labels equal] · (1 + S(i,j))
//
// S(i,j) is that of what can be below the root: of sequences of pairs of nodes, the
// first below i and side by side from left to right, the second likewise below j. With
// B(p,q) the sum over the sequences that end with the pair p, q:
//
//	S(i,j) = Σ B(p,q)
//	B(p,q) = R(p,q) · (λ^(nodes between i and p + nodes between j and q)
//	                   + Σ over p' left of p, q' left of q, of λ^(new(p',p) + new(q',q)) · B(p',q'))
//
// where new(p',p) is the number of nodes that lie above p and below the lowest node
// that is above p' too. The double sum is taken one tree at a time, and in one pass over
// the nodes of each: going up from p' is free, and so is a step to the right, while each
// step down costs λ. So a pair of roots takes the product of the sizes of their
// subtrees.
type kernel struct {
	s      *Space
	lambda float64
	plan   planter
	a, b   prepared // what is left of a pair of trees
	float  evaluator[index.Float]
	big    evaluator[index.Number]
}

// NewKernel implements index.Space.
func (s *Space) NewKernel(_ *index.Symbols, lambda float64) index.Kernel {
	return &kernel{s: s, lambda: lambda, plan: planter{s: s}}
}

// Eval implements index.Kernel.
func (k *kernel) Eval(x, y any) index.Number {
	a, b := x.(*prepared), y.(*prepared)
	k.a.prune(a, b)
	k.b.prune(b, a)
	sum := float64(k.float.sum(&k.a, &k.b, k.lambda, func(x float64) index.Float { return index.Float(x) }))
	if !math.IsInf(sum, 0) && !math.IsNaN(sum) {
		return index.NumberOf(sum)
	}
	return k.big.sum(&k.a, &k.b, k.lambda, index.NumberOf)
}

// evaluator holds R of a pair of trees, and scratch.
type evaluator[T index.Arithmetic[T]] struct {
	a, b   *prepared
	r      []T // R(i,j) at i·(nodes of b)+j
	power  []T // of λ
	levels []*level[T]
	left   line[T]
}

// level is the node on the way from i to the present p, i's own first, by node below j:
// nodes are counted from j, whose own entry means nothing.
type level[T any] struct {
	before []T // the double sum for this node
	own    []T // B of this node, summed over q'
	passed []T // own, and that of all below, of the children that are passed
}

// line is scratch of the sum over one tree.
type line[T any] struct{ sum, ended, passed []T }

func (e *evaluator[T]) sum(a, b *prepared, lambda float64, of func(float64) T) (total T) {
	e.a, e.b = a, b
	one, nb := of(1), len(b.label)
	e.r = append(e.r[:0], make([]T, len(a.label)*nb)...)
	e.power = append(e.power[:0], one, of(lambda))
	for len(e.power) <= len(a.label)+nb {
		e.power = append(e.power, e.power[len(e.power)-1].Mul(e.power[1]))
	}
	for i := len(a.label) - 1; i >= 0; i-- {
		for j := nb - 1; j >= 0; j-- {
			if a.label[i] == 0 || a.label[i] != b.label[j] {
				continue
			}
			r := one.Add(e.below(i, j))
			e.r[i*nb+j] = r
			total = total.Add(r)
		}
	}
	return total
}

// below is S(i,j).
func (e *evaluator[T]) below(i, j int) (s T) {
	n := int(e.b.end[j]) - j
	if n == 1 || int(e.a.end[i]) == i+1 {
		return s
	}
	e.open(0, n)
	at := 0 // the depth of the present node below i
	for p := i + 1; p < int(e.a.end[i]); p++ {
		depth := int(e.a.depth[p] - e.a.depth[i])
		for ; at >= depth; at-- {
			e.close(at)
		}
		at = depth
		lv := e.open(depth, n)
		up := e.levels[depth-1]
		for q := range lv.before {
			lv.before[q] = up.passed[q].Add(up.before[q].Mul(e.power[1]))
		}
		if e.ends(lv, p, j, depth, &s) {
			e.overRight(lv.own, j)
		}
	}
	return s
}

// open starts the level of a node at some depth below i.
func (e *evaluator[T]) open(depth, n int) *level[T] {
	for depth >= len(e.levels) {
		e.levels = append(e.levels, &level[T]{})
	}
	lv := e.levels[depth]
	lv.before = append(lv.before[:0], make([]T, n)...)
	lv.own = append(lv.own[:0], make([]T, n)...)
	lv.passed = append(lv.passed[:0], make([]T, n)...)
	return lv
}

// close passes the node at some depth: it is to the left of what comes.
func (e *evaluator[T]) close(depth int) {
	lv, up := e.levels[depth], e.levels[depth-1]
	for q := range up.passed {
		up.passed[q] = up.passed[q].Add(lv.own[q].Add(lv.passed[q]))
	}
}

// ends fills own with B(p,q) and adds it to s; any is false where it is 0.
func (e *evaluator[T]) ends(lv *level[T], p, j, depth int, s *T) (any bool) {
	label, row := e.a.label[p], e.r[p*len(e.b.label)+j:]
	if label == 0 {
		return false
	}
	for q := 1; q < len(lv.own); q++ {
		if e.b.label[j+q] != label {
			continue
		}
		any = true
		first := e.power[depth+int(e.b.depth[j+q]-e.b.depth[j])-2]
		lv.own[q] = row[q].Mul(first.Add(lv.before[q]))
		*s = (*s).Add(lv.own[q])
	}
	return any
}

// overRight replaces B(p,q') by Σ over q' left of q, of λ^new(q',q) · B(p,q').
func (e *evaluator[T]) overRight(own []T, j int) {
	n := len(own)
	x := &e.left
	x.ended = append(x.ended[:0], own...)
	x.sum = slices.Grow(x.sum[:0], n)[:n]
	x.passed = append(x.passed[:0], make([]T, n)...)
	for q := n - 1; q > 0; q-- {
		up := int(e.b.parent[j+q]) - j
		x.ended[up] = x.ended[up].Add(x.ended[q])
	}
	var zero T
	x.sum[0] = zero
	for q := 1; q < n; q++ {
		up := int(e.b.parent[j+q]) - j
		x.sum[q] = x.passed[up].Add(x.sum[up].Mul(e.power[1]))
		x.passed[up] = x.passed[up].Add(x.ended[q])
	}
	copy(own, x.sum)
}
