package stk

import (
	"cmp"
	"math"
	"slices"

	"fstore/index"
)

// Prepared is a tree in the form that the tree kernels read: its nodes with
// productions in preorder, and for each production those that have it.
type Prepared struct {
	Prod    []uint32
	Kid     []uint32 // the nonterminal children of i are Kids[Kid[i]:Kid[i+1]]
	Kids    []int32  // node numbers, or Childless
	Prods   []uint32 // distinct productions, ascending
	ProdEnd []uint32 // ByProd[ProdEnd[k-1]:ProdEnd[k]] have Prods[k]
	ByProd  []int32
	Of      []uint32 // the index in Prods of each node's production
	Rank    []uint32 // the place of each node among those with its production
	Flat    []bool   // no node with Prods[k] has an expanded child
	Top     []bool   // of each node: it is no node's child
}

// Prepare turns t into its kernel form.
func Prepare(t *index.Tree) *Prepared {
	p := &Prepared{}
	itemOf := make([]int32, len(t.Nodes))
	for i := range t.Nodes {
		itemOf[i] = Childless
		if t.Nodes[i].Prod != 0 {
			itemOf[i] = int32(len(p.Prod))
			p.Prod = append(p.Prod, t.Nodes[i].Prod)
		}
	}
	p.Kid = append(p.Kid, 0)
	for i := range t.Nodes {
		if itemOf[i] < 0 {
			continue
		}
		for k := i + 1; k < i+int(t.Nodes[i].Size); k += int(t.Nodes[k].Size) {
			if !t.Nodes[k].Word {
				p.Kids = append(p.Kids, itemOf[k])
			}
		}
		p.Kid = append(p.Kid, uint32(len(p.Kids)))
	}
	p.Top = make([]bool, len(p.Prod))
	for i := range p.Top {
		p.Top[i] = true
	}
	for _, c := range p.Kids {
		if c >= 0 {
			p.Top[c] = false
		}
	}
	p.ByProd = make([]int32, len(p.Prod))
	p.Of = make([]uint32, len(p.Prod))
	p.Rank = make([]uint32, len(p.Prod))
	for i := range p.ByProd {
		p.ByProd[i] = int32(i)
	}
	slices.SortStableFunc(p.ByProd, func(a, b int32) int { return cmp.Compare(p.Prod[a], p.Prod[b]) })
	for k, i := range p.ByProd {
		if k == 0 || p.Prod[i] != p.Prod[p.ByProd[k-1]] {
			p.Prods = append(p.Prods, p.Prod[i])
			p.ProdEnd = append(p.ProdEnd, uint32(k))
			p.Flat = append(p.Flat, true)
		}
		g := len(p.Prods) - 1
		p.Of[i] = uint32(g)
		p.Rank[i] = uint32(k) - from(p.ProdEnd, g)
		p.ProdEnd[g] = uint32(k + 1)
		for _, c := range p.Kids[p.Kid[i]:p.Kid[i+1]] {
			p.Flat[g] = p.Flat[g] && c < 0
		}
	}
	return p
}

// With returns the nodes with the k-th production, ascending.
func (p *Prepared) With(k int) []int32 { return p.ByProd[from(p.ProdEnd, k):p.ProdEnd[k]] }

func from(ends []uint32, k int) uint32 {
	if k == 0 {
		return 0
	}
	return ends[k-1]
}

// DeltaKernel evaluates Σ C(n1, n2) over pairs of nodes with equal productions,
// where C = λ · Π over the nonterminal children of (1 + C(child pair)) and a
// child pair whose productions differ counts as 1; with Whole set (st), C = λ ·
// Π C(child pair), a pair of childless children counts as 1 and any other pair
// whose productions differ as 0.
//
// With Depth above 0, fragments are at most so deep (Collins & Duffy 2001, table 1): C(n1, n2, 1) =
// λ, and C(n1, n2, d) is C with C(child pair, d-1).
//
// C is kept for the pairs with equal productions only, not at all where the nodes
// of a production have no expanded child (half of most treebanks: the tags),
// where C = λ, and no longer than until the parent has used it: memory is by the
// width of the trees, not by their size.
type DeltaKernel struct {
	Lambda float64
	Whole  bool
	Depth  int   // 0: fragments of any depth
	group  []int // the index of a's productions in b's, -1
	small  rows[float64]
	big    rows[index.Number]
}

// levels is how many values of C a pair has: one for each depth, or one.
func (k *DeltaKernel) levels() int { return max(k.Depth, 1) }

// last says whether C of a level is λ whatever is below.
func (k *DeltaKernel) last(level int) bool { return k.Depth > 0 && level == 0 }

// rows holds C(i, ·) for the nodes i of one tree whose parent is still to come.
type rows[T any] struct {
	of   [][]T // by node
	free [][]T
}

// start empties r for n nodes.
func (r *rows[T]) start(n int) {
	for len(r.of) < n {
		r.of = append(r.of, nil)
	}
}

// take returns an empty row of capacity n for node i.
func (r *rows[T]) take(i, n int) []T {
	if k := len(r.free) - 1; k >= 0 {
		r.of[i] = r.free[k][:0]
		r.free = r.free[:k]
	}
	r.of[i] = slices.Grow(r.of[i], n)
	return r.of[i]
}

// give frees the row of node i, if it has one.
func (r *rows[T]) give(i int32) {
	if i >= 0 && r.of[i] != nil {
		r.free = append(r.free, r.of[i])
		r.of[i] = nil
	}
}

// Prepare implements index.Kernel.
func (k *DeltaKernel) Prepare(t *index.Tree) (any, error) { return Prepare(t), nil }

// Eval implements index.Kernel.
func (k *DeltaKernel) Eval(x, y any) index.Number { return k.Sum(x.(*Prepared), y.(*Prepared)) }

// Sum is Eval over typed trees. It is exact to float64, and does not overflow.
func (k *DeltaKernel) Sum(a, b *Prepared) index.Number {
	if !k.match(a, b) {
		return index.Number{}
	}
	sum, levels := 0.0, k.levels()
	k.small.start(len(a.Prod))
	k.pairs(a, b, func(flat int) { sum += float64(k.Lambda * float64(flat)) }, // never fused: the same on every machine
		func(i int, with []int32, kids []int32) {
			row := k.small.take(i, len(with)*levels)
			for _, j := range with {
				var c float64
				others := b.Kids[b.Kid[j]:b.Kid[j+1]]
				for level := range levels {
					c = k.Lambda
					if k.last(level) {
						row = append(row, c)
						continue
					}
					for n, x := range kids {
						y := others[n]
						if x < 0 || y < 0 || a.Prod[x] != b.Prod[y] {
							if k.Whole && (x >= 0 || y >= 0) {
								c = 0
							}
							continue
						}
						d := k.Lambda
						if k.small.of[x] != nil {
							d = k.small.of[x][int(b.Rank[y])*levels+max(level-1, 0)]
						}
						if !k.Whole {
							d++
						}
						c *= d
					}
					row = append(row, c)
				}
				sum += c
			}
			k.small.of[i] = row
		}, k.small.give)
	if math.IsInf(sum, 0) || math.IsNaN(sum) {
		return k.sumBig(a, b)
	}
	return index.NumberOf(sum)
}

// SelfSteps implements index.Quadratic.
func (k *DeltaKernel) SelfSteps(a any) int64 { return a.(*Prepared).SelfSteps() }

// SelfSteps is the number of pairs of nodes with equal productions.
func (p *Prepared) SelfSteps() (n int64) {
	for g := range p.Prods {
		with := int64(len(p.With(g)))
		n += with * with
	}
	return n
}

// pairs goes through the nodes of a that have a partner in b, from the last to the
// first: children have larger numbers than their parents, so that every child pair
// is ready. flat is told how many partners a node has whose C is λ, row the
// partners of any other; give is told the nodes whose row nobody needs any more.
func (k *DeltaKernel) pairs(a, b *Prepared, flat func(int), row func(i int, with, kids []int32), give func(int32)) {
	for i := len(a.Prod) - 1; i >= 0; i-- {
		kids := a.Kids[a.Kid[i]:a.Kid[i+1]]
		if g := k.group[a.Of[i]]; g >= 0 {
			if with := b.With(g); a.Flat[a.Of[i]] && b.Flat[g] {
				flat(len(with))
			} else {
				row(i, with, kids)
				if a.Top[i] {
					give(int32(i))
				}
			}
		}
		for _, x := range kids {
			give(x)
		}
	}
}

// match finds a's productions in b.
func (k *DeltaKernel) match(a, b *Prepared) (any bool) {
	k.group = k.group[:0]
	j := 0
	for _, p := range a.Prods {
		for j < len(b.Prods) && b.Prods[j] < p {
			j++
		}
		if j < len(b.Prods) && b.Prods[j] == p {
			k.group = append(k.group, j)
			any = true
		} else {
			k.group = append(k.group, -1)
		}
	}
	return any
}

// sumBig is Sum with exponents of its own, for what overflows a float64.
func (k *DeltaKernel) sumBig(a, b *Prepared) index.Number {
	one, lambda := index.NumberOf(1), index.NumberOf(k.Lambda)
	var sum index.Number
	levels := k.levels()
	k.big.start(len(a.Prod))
	k.pairs(a, b, func(flat int) { sum = sum.Add(lambda.Mul(index.NumberOf(float64(flat)))) },
		func(i int, with []int32, kids []int32) {
			row := k.big.take(i, len(with)*levels)
			for _, j := range with {
				var c index.Number
				others := b.Kids[b.Kid[j]:b.Kid[j+1]]
				for level := range levels {
					c = lambda
					if k.last(level) {
						row = append(row, c)
						continue
					}
					for n, x := range kids {
						y := others[n]
						if x < 0 || y < 0 || a.Prod[x] != b.Prod[y] {
							if k.Whole && (x >= 0 || y >= 0) {
								c = index.Number{}
							}
							continue
						}
						d := lambda
						if k.big.of[x] != nil {
							d = k.big.of[x][int(b.Rank[y])*levels+max(level-1, 0)]
						}
						if !k.Whole {
							d = d.Add(one)
						}
						c = c.Mul(d)
					}
					row = append(row, c)
				}
				sum = sum.Add(c)
			}
			k.big.of[i] = row
		}, k.big.give)
	return sum
}

// NewKernel implements index.Space.
func (x Space) NewKernel(_ *index.Symbols, lambda float64) index.Kernel {
	return &DeltaKernel{Lambda: lambda, Depth: x.MaxDepth}
}
