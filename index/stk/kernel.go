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
// C is kept for the pairs with equal productions only, and not at all where the
// nodes of a production have no expanded child (half of most treebanks: the
// tags): there C = λ.
type DeltaKernel struct {
	Lambda float64
	Whole  bool
	delta  []float64
	big    []index.Number
	group  []int    // the index of a's productions in b's, -1
	row    []uint32 // where the pairs of a's node start in delta
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
	k.row = slices.Grow(k.row[:0], len(a.Prod))[:len(a.Prod)]
	k.delta = k.delta[:0]
	sum := 0.0
	// Children have larger numbers than their parents, so that going down in a,
	// every child pair is ready.
	for i := len(a.Prod) - 1; i >= 0; i-- {
		g := k.group[a.Of[i]]
		if g < 0 {
			continue
		}
		with := b.With(g)
		if a.Flat[a.Of[i]] && b.Flat[g] {
			sum += float64(k.Lambda * float64(len(with))) // never fused: the same on every machine
			continue
		}
		kids := a.Kids[a.Kid[i]:a.Kid[i+1]]
		k.row[i] = uint32(len(k.delta))
		for _, j := range with {
			c := k.Lambda
			others := b.Kids[b.Kid[j]:b.Kid[j+1]]
			for n, x := range kids {
				y := others[n]
				if x < 0 || y < 0 || a.Prod[x] != b.Prod[y] {
					if k.Whole && (x >= 0 || y >= 0) {
						c = 0
					}
					continue
				}
				d := k.Lambda
				if !a.Flat[a.Of[x]] || !b.Flat[b.Of[y]] {
					d = k.delta[k.row[x]+b.Rank[y]]
				}
				if !k.Whole {
					d++
				}
				c *= d
			}
			k.delta = append(k.delta, c)
			sum += c
		}
	}
	if math.IsInf(sum, 0) || math.IsNaN(sum) {
		return k.sumBig(a, b)
	}
	return index.NumberOf(sum)
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
	k.big = k.big[:0]
	var sum index.Number
	for i := len(a.Prod) - 1; i >= 0; i-- {
		g := k.group[a.Of[i]]
		if g < 0 {
			continue
		}
		kids := a.Kids[a.Kid[i]:a.Kid[i+1]]
		k.row[i] = uint32(len(k.big))
		for _, j := range b.With(g) {
			c := lambda
			others := b.Kids[b.Kid[j]:b.Kid[j+1]]
			for n, x := range kids {
				y := others[n]
				switch {
				case x >= 0 && y >= 0 && a.Prod[x] == b.Prod[y]:
					d := k.big[k.row[x]+b.Rank[y]]
					if !k.Whole {
						d = d.Add(one)
					}
					c = c.Mul(d)
				case k.Whole && (x >= 0 || y >= 0):
					c = index.Number{}
				}
			}
			k.big = append(k.big, c)
			sum = sum.Add(c)
		}
	}
	return sum
}

// NewKernel implements index.Space.
func (Space) NewKernel(_ *index.Symbols, lambda float64) index.Kernel {
	return &DeltaKernel{Lambda: lambda}
}
