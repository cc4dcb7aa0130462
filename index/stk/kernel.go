package stk

import (
	"math"
	"slices"

	"fstore/index"
	"fstore/index/internal/treekernel"
)

// Prepared is a tree in the form that the tree kernels read. In its lists of children, Childless is a
// nonterminal without a production.
type Prepared struct {
	treekernel.Tree
	flat []bool // no node with production Each[g] has an expanded child
}

// Prepare returns t as the kernels read it. The result does not refer to t.
func Prepare(t *index.Tree) *Prepared {
	itemOf := make([]int32, len(t.Nodes))
	var prods []uint32
	for i := range t.Nodes {
		itemOf[i] = Childless
		if t.Nodes[i].Prod != 0 {
			itemOf[i] = int32(len(prods))
			prods = append(prods, t.Nodes[i].Prod)
		}
	}
	kid := make([]uint32, 1, len(prods)+1)
	var kids []int32
	for i := range t.Nodes {
		if itemOf[i] < 0 {
			continue
		}
		for k := i + 1; k < i+int(t.Nodes[i].Size); k += int(t.Nodes[k].Size) {
			if !t.Nodes[k].Word {
				kids = append(kids, itemOf[k])
			}
		}
		kid = append(kid, uint32(len(kids)))
	}
	p := &Prepared{Tree: treekernel.New(prods, kid, kids)}
	p.flat = flat(&p.Tree)
	return p
}

// flat says, for each distinct production of t, whether its nodes have only unexpanded children.
func flat(t *treekernel.Tree) []bool {
	flat := slices.Repeat([]bool{true}, len(t.Each))
	for i, g := range t.Of {
		for _, c := range t.Kids(int32(i)) {
			flat[g] = flat[g] && c < 0
		}
	}
	return flat
}

// DeltaKernel evaluates Σ C(n1, n2) over pairs of nodes with equal productions. C(n1, n2) is λ · Π (1 + C(k1,
// k2)) over the pairs of their nonterminal children with equal productions.
//
// With Whole set (st), C(n1, n2) is λ · Π C(k1, k2) over all pairs of nonterminal children. C(k1, k2) is 1 if
// neither child has a production, and 0 if only one has, or if their productions differ.
//
// With Depth above 0, fragments are at most Depth deep (Collins & Duffy 2001, table 1): C(n1, n2, 1) is λ,
// and C(n1, n2, d) is computed from C(k1, k2, d-1).
//
// C is stored only until the parent has used it, so memory grows with the width of the trees, not with their
// size. If the nodes of a production have no expanded children, C is λ and is not stored. (In most treebanks,
// half of all nodes are tags, for which this holds.)
type DeltaKernel struct {
	Lambda float64
	Whole  bool
	Depth  int     // 0: fragments of any depth
	group  []int32 // by production of a: its index in b, or -1
	small  treekernel.Rows[float64]
	big    treekernel.Rows[index.Number]
}

// levels returns how many values of C a pair of nodes has: one for each depth, or a single one if Depth is 0.
func (k *DeltaKernel) levels() int { return max(k.Depth, 1) }

// below returns the children whose values are needed at this level. If Depth is set, level 0 needs none.
func (k *DeltaKernel) below(kids []int32, level int) []int32 {
	if k.Depth > 0 && level == 0 {
		return nil
	}
	return kids
}

// Prepare implements index.Kernel.
func (k *DeltaKernel) Prepare(t *index.Tree) (any, error) { return Prepare(t), nil }

// Eval implements index.Kernel.
func (k *DeltaKernel) Eval(x, y any) index.Number { return k.Sum(x.(*Prepared), y.(*Prepared)) }

// Sum is Eval for trees of the type *Prepared. It is exact to float64 precision, and cannot overflow.
func (k *DeltaKernel) Sum(a, b *Prepared) index.Number {
	var any bool
	if k.group, any = a.Match(k.group[:0], &b.Tree); !any {
		return index.Number{}
	}
	sum := 0.0
	k.small.Pairs(&a.Tree, &b.Tree, k.group, func(i, g int32, with []int32) {
		if a.flat[a.Of[i]] && b.flat[g] {
			sum += float64(k.Lambda * float64(len(with))) // rounded, not fused: the same on every machine
			return
		}
		sum = k.add(sum, nil, &a.Tree, &b.Tree, i, with)
	})
	if math.IsInf(sum, 0) || math.IsNaN(sum) {
		return k.sumBig(a, b)
	}
	return index.NumberOf(sum)
}

// add keeps C(i, j) in k.small for each node j in the list `with`. It adds the values to dst or, if dst is
// nil, to the returned sum.
func (k *DeltaKernel) add(sum float64, dst []float64, a, b *treekernel.Tree, i int32, with []int32) float64 {
	levels := k.levels()
	row, kids, at := k.small.Take(i, len(with)*levels), a.Kids(i), 0
	for _, j := range with {
		var c float64
		others := b.Kids(j)
		for level := range levels {
			c = k.Lambda
			for n, x := range k.below(kids, level) {
				y := others[n]
				if x < 0 || y < 0 || a.Sym[x] != b.Sym[y] {
					if k.Whole && (x >= 0 || y >= 0) {
						c = 0
					}
					continue
				}
				d := k.Lambda
				if k.small.Of[x] != nil {
					d = k.small.Of[x][int(b.Rank[y])*levels+max(level-1, 0)]
				}
				if !k.Whole {
					d++
				}
				c = float64(c * d) // rounded, not fused with a sum
			}
			row[at] = c
			at++
		}
		if dst != nil {
			dst[j] += c
		} else {
			sum += c
		}
	}
	return sum
}

// SelfSteps implements index.Quadratic.
func (k *DeltaKernel) SelfSteps(a any) int64 { return a.(*Prepared).SelfSteps() }

// SelfSteps is the number of pairs of nodes with equal productions.
func (p *Prepared) SelfSteps() (n int64) {
	for g := range p.Each {
		with := int64(len(p.With(int32(g))))
		n += with * with
	}
	return n
}

// sumBig is Sum with index.Number, for sums that overflow a float64.
func (k *DeltaKernel) sumBig(a, b *Prepared) index.Number {
	one, lambda := index.NumberOf(1), index.NumberOf(k.Lambda)
	var sum index.Number
	levels := k.levels()
	k.big.Pairs(&a.Tree, &b.Tree, k.group, func(i, g int32, with []int32) {
		if a.flat[a.Of[i]] && b.flat[g] {
			sum = sum.Add(lambda.Mul(index.NumberOf(float64(len(with)))))
			return
		}
		row, kids, at := k.big.Take(i, len(with)*levels), a.Kids(i), 0
		for _, j := range with {
			var c index.Number
			others := b.Kids(j)
			for level := range levels {
				c = lambda
				for n, x := range k.below(kids, level) {
					y := others[n]
					if x < 0 || y < 0 || a.Sym[x] != b.Sym[y] {
						if k.Whole && (x >= 0 || y >= 0) {
							c = index.Number{}
						}
						continue
					}
					d := lambda
					if k.big.Of[x] != nil {
						d = k.big.Of[x][int(b.Rank[y])*levels+max(level-1, 0)]
					}
					if !k.Whole {
						d = d.Add(one)
					}
					c = c.Mul(d)
				}
				row[at] = c
				at++
			}
			sum = sum.Add(c)
		}
	})
	return sum
}

// NewKernel implements index.Space.
func (x Space) NewKernel(_ *index.Symbols, lambda float64) index.Kernel {
	return &DeltaKernel{Lambda: lambda, Depth: x.MaxDepth}
}
