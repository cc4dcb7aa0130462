package dep

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fstore/index"
	"fstore/index/internal/growth"
)

// prepared is a tree in the form that the kernels read. Features are compared by key, so a feature that a
// store does not know counts too.
type prepared struct {
	arcs     []arc
	families []uint32               // the first arc of each family, ascending; heads before dependents
	familyOf []int32                // the family of each arc's modifier, -1 if it has no dependents
	keys     []string               // the keys of the distinct features, ascending
	with     growth.Inverted[int32] // the arcs with each feature
	listed   []listed               // without order: every fragment
	wide     bool                   // some family has more than max-span arcs
	words    []words                // in a space with words: the words of each arc, as ids of index.Words, or 0
}

// kernel sums W(heads) · Δ over all pairs of families. A family is the arcs of one head. In a space with
// words, W of two nodes with the same word is 1 + λ. Any other W is 1. Δ counts the common fragments whose
// roots are the two heads, with a factor λ for each arc (index/README.md, "dep"). Its formula depends on the
// option siblings:
//
//	a(p,q) = λ · A(p,q) · W(modifiers) · (1 + Δ(families of the modifiers))
//	adjacent  R(p,q) = a(p,q) · (1 + R(p+1,q+1)),  Δ = Σ R
//	side      Δ = (1 + Σ R on the left) · (1 + Σ R on the right) - 1
//	any       F(p,q) = F(p+1,q) + Σ over q' ≥ q of a(p,q') · (1 + F(p+1,q'+1)),  Δ = F(first,first)
//
// A(p,q) is the number of common features of the arcs p and q, and p+1 is the next arc of p's family. The
// method wideDelta has the formulas with max-span. Without order, the kernel is the dot product of two lists
// of fragments.
type kernel struct {
	s      *Space
	lambda float64
	plan   planter
	common []float64 // A of each arc of a and each arc of b
	float  evaluator[index.Float]
	big    evaluator[index.Number]
}

// Prepare implements index.Kernel.
func (k *kernel) Prepare(t *index.Tree) (any, error) {
	if t.Unparsed() {
		return nil, index.ErrUnparsed
	}
	var table index.Table
	f := forest{maxSpan: k.s.maxSpan}
	f.layOut(t, &k.plan, func(key []byte) uint32 {
		id, _ := table.Intern(key)
		return id
	})
	// A feature's number is the index of its key in the sorted x.keys.
	x := &prepared{arcs: f.arcs, wide: f.wide}
	for id := 1; id <= table.Len(); id++ {
		x.keys = append(x.keys, string(table.Bytes(uint32(id))))
	}
	slices.Sort(x.keys)
	f.number(func(id uint32) uint32 {
		n, _ := slices.BinarySearch(x.keys, string(table.Bytes(id)))
		return uint32(n)
	})
	if k.s.unordered {
		return x, k.list(x, &f)
	}
	f.invert(&x.with, len(x.keys))
	x.findFamilies(&f)
	if k.s.word != nil {
		for _, m := range k.plan.order {
			x.words = append(x.words, words{k.s.wordOf(t, int(t.Tokens[m].Head)-1), k.s.wordOf(t, int(m))})
		}
	}
	return x, nil
}

func (x *prepared) findFamilies(f *forest) {
	for a := 0; a < f.len(); a = int(x.arcs[a].end) {
		x.families = append(x.families, uint32(a))
	}
	x.familyOf = make([]int32, f.len())
	for a := range x.familyOf {
		x.familyOf[a] = -1
		if family, ok := slices.BinarySearch(x.families, x.arcs[a].kid); ok && x.arcs[a].kidEnd > 0 {
			x.familyOf[a] = int32(family)
		}
	}
}

func (x *prepared) arcsWith(n int) []int32 { return x.with.Of(n, n+1) }

// sameWord says whether arc p of x and arc q of y have the same word, at the head (node 0) or at the modifier
// (node 1).
func (x *prepared) sameWord(y *prepared, p, q uint32, node int) bool {
	return len(x.words) > 0 && x.words[p][node] == y.words[q][node] && x.words[p][node] != 0
}

// Eval implements index.Kernel.
func (k *kernel) Eval(x, y any) index.Number {
	a, b := x.(*prepared), y.(*prepared)
	if k.s.unordered {
		return dot(a.listed, b.listed, k.lambda)
	}
	if !k.count(a, b) {
		return index.Number{}
	}
	sum := float64(k.float.sum(k, a, b, func(x float64) index.Float { return index.Float(x) }))
	if !math.IsInf(sum, 0) && !math.IsNaN(sum) {
		return index.NumberOf(sum)
	}
	return k.big.sum(k, a, b, index.NumberOf)
}

// count fills k.common. It returns false if the trees have no common feature.
func (k *kernel) count(a, b *prepared) (any bool) {
	n := len(b.familyOf)
	k.common = append(k.common[:0], make([]float64, len(a.familyOf)*n)...)
	index.Shared(a.keys, b.keys, strings.Compare, func(i, j int) {
		any = true
		for _, p := range a.arcsWith(i) {
			row := k.common[int(p)*n:]
			for _, q := range b.arcsWith(j) {
				row[q]++
			}
		}
	})
	return any
}

// evaluator computes Δ (see kernel) of each pair of families, one of tree a and one of tree b.
type evaluator[T arithmetic[T]] struct {
	delta []T
	f     []T // R or F of one arc of a and each arc of b's family, and one entry more
	arc   []T // a(p,q) of the present families
	one   T
	zero  T
}

// arithmetic is the type of the numbers in the recursion.
type arithmetic[T any] interface {
	comparable
	index.Arithmetic[T]
}

func (e *evaluator[T]) sum(k *kernel, a, b *prepared, of func(float64) T) (total T) {
	e.one = of(1)
	lambda := of(k.lambda)
	n := len(b.families)
	e.delta = slices.Grow(e.delta[:0], len(a.families)*n)[:len(a.families)*n]
	// Go backwards: Δ depends on the families below, which come later.
	for i := len(a.families) - 1; i >= 0; i-- {
		for j := n - 1; j >= 0; j-- {
			p, q := a.families[i], b.families[j]
			d := e.pair(k, a, b, p, q, lambda, of)
			e.delta[i*n+j] = d
			total = total.Add(d)
			if a.sameWord(b, p, q, 0) {
				total = total.Add(lambda.Mul(d))
			}
		}
	}
	return total
}

// pair returns Δ of two families, which start at arc p of a and at arc q of b.
func (e *evaluator[T]) pair(k *kernel, a, b *prepared, p, q uint32, lambda T, of func(float64) T) (sum T) {
	pEnd, qEnd := a.arcs[p].end, b.arcs[q].end
	w := int(qEnd - q)
	e.arc = append(e.arc[:0], make([]T, int(pEnd-p)*w)...)
	any := false
	for x := p; x < pEnd; x++ {
		row := k.common[int(x)*len(b.familyOf):]
		for y := q; y < qEnd; y++ {
			if row[y] == 0 {
				continue
			}
			any = true
			v := lambda.Mul(of(row[y]))
			if i, j := a.familyOf[x], b.familyOf[y]; i >= 0 && j >= 0 {
				v = v.Mul(e.one.Add(e.delta[int(i)*len(b.families)+int(j)]))
			}
			if a.sameWord(b, x, y, 1) {
				v = v.Add(lambda.Mul(v))
			}
			e.arc[int(x-p)*w+int(y-q)] = v
		}
	}
	switch n := int(k.s.maxSpan); {
	case !any:
		return sum
	case n > 0 && max(int(pEnd-p), w) > n:
		return e.wideDelta(k.s.rule, n, int(a.arcs[p].mid-p), int(pEnd-p), int(b.arcs[q].mid-q), w)
	case k.s.rule == anyChild:
		return e.subsequences(0, int(pEnd-p), 0, w, w)
	case k.s.rule == side:
		pMid, qMid := int(a.arcs[p].mid-p), int(b.arcs[q].mid-q)
		left := e.runs(0, pMid, 0, qMid, w)
		right := e.runs(pMid, int(pEnd-p), qMid, w, w)
		return left.Add(right).Add(left.Mul(right))
	}
	return e.runs(0, int(pEnd-p), 0, w, w)
}

// runs returns Σ R over the arcs [x0, x1) and [y0, y1), with a(x,y) in e.arc[x*w+y]. R and a are explained at
// the type kernel.
func (e *evaluator[T]) runs(x0, x1, y0, y1, w int) (sum T) {
	below := append(e.f[:0], make([]T, y1+1)...) // R of x+1 and each y
	for x := x1 - 1; x >= x0; x-- {
		for y := y0; y < y1; y++ { // below[y+1] is still R of x+1
			r := e.arc[x*w+y].Mul(e.one.Add(below[y+1]))
			below[y] = r
			sum = sum.Add(r)
		}
	}
	e.f = below
	return sum
}

// subsequences computes F, a formula of the type kernel, for the arcs [x0, x1) and [y0, y1). Its a(x,y) is
// e.arc[x*w+y].
func (e *evaluator[T]) subsequences(x0, x1, y0, y1, w int) (sum T) {
	below := append(e.f[:0], make([]T, y1+1)...) // F of x+1 and each y
	for x := x1 - 1; x >= x0; x-- {
		var later T // Σ over y' ≥ y of a(x,y') · (1 + F(x+1,y'+1))
		next := below[y1]
		for y := y1 - 1; y >= y0; y-- {
			later = later.Add(e.arc[x*w+y].Mul(e.one.Add(next)))
			next = below[y]
			below[y] = next.Add(later)
		}
	}
	if y0 <= y1 {
		sum = below[y0]
	}
	e.f = below
	return sum
}

// listed is one fragment of a tree, with how often the tree has it.
type listed struct {
	code  string // the depths and keys of its steps, comparable between trees
	order int
	count float64
}

func (a listed) compare(b listed) int { return strings.Compare(a.code, b.code) }

// Limits for one tree: the number of its listed fragments, and the bytes of their codes. Codes are long in a
// deep tree.
const (
	maxListed      = 1 << 20
	maxListedBytes = 1 << 28
)

// ListError says that a tree has more fragments, or longer fragments, than the kernel can list.
type ListError struct {
	Limit uint64
	Of    string // what Limit counts
}

func (e *ListError) Error() string {
	return fmt.Sprintf("more than %s %s in one tree: without order of the children they have to be listed for the kernel", index.Thousands(e.Limit), e.Of)
}

// list fills x.listed with the fragments of x. Their codes have keys instead of symbols, so that a fragment
// has the same code in every tree.
func (k *kernel) list(x *prepared, f *forest) error {
	it := &Items{s: k.s, forest: *f}
	it.arcs = it.arcs[:len(it.arcs)-1]
	for i := range it.feats {
		it.feats[i]++ // symbols start at 1
	}
	for i := range it.words { // noNumber becomes 0
		it.words[i][0]++
		it.words[i][1]++
	}
	it.sealOver(len(x.keys))
	l := &lister{s: k.s, x: x}
	if _, err := it.Grow(index.All, index.Weights{}, index.Limits{NoSamples: true}, l); err != nil {
		return err
	}
	slices.SortFunc(x.listed, listed.compare)
	return nil
}

// lister visits the fragments of a tree, and fills prepared.listed.
type lister struct {
	s     *Space
	x     *prepared
	steps []index.Step
	buf   []byte
	bytes int // bytes of the codes listed so far
}

func (l *lister) Visit(b *index.Batch) error {
	if len(l.x.listed)+b.Len() > maxListed {
		return &ListError{maxListed, "fragments"}
	}
	for i := range b.Len() {
		b.Descend[i] = true
		l.steps, _ = b.Parent.Steps(l.steps[:0])
		l.steps, _ = index.Code(b.SuffixOf(i)).Steps(l.steps)
		l.buf = l.buf[:0]
		for _, st := range l.steps {
			key := l.x.keys[st.Sym-1]
			l.buf = index.AppendOrdered(l.buf, st.Off)
			l.buf = index.AppendOrdered(l.buf, uint32(len(key)))
			l.buf = append(l.buf, key...)
		}
		if l.bytes += len(l.buf); l.bytes > maxListedBytes {
			return &ListError{maxListedBytes, "bytes of fragments"}
		}
		l.x.listed = append(l.x.listed, listed{string(l.buf), b.Order, float64(b.Occ[i])})
	}
	return nil
}

// dot returns the sum of λ^order · (count in a) · (count in b) over the fragments that a and b share.
func dot(a, b []listed, lambda float64) index.Number {
	sum := 0.0
	index.Shared(a, b, listed.compare, func(i, j int) {
		sum += float64(float64(a[i].count*b[j].count) * math.Pow(lambda, float64(a[i].order)))
	})
	return index.NumberOf(sum)
}
