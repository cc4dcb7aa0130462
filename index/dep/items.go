package dep

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"fstore/index"
	"fstore/index/internal/growth"
)

// Items are the arcs of many samples. They take 32 bytes an arc, and 8 bytes a feature of an arc.
type Items struct {
	forest
	s    *Space
	symb *index.Symbols
	plan planter

	// In Seal, frequent features get small numbers, so that their data are close together in memory. The
	// number of a symbol is its index in syms.
	numberOf []uint32               // the number of each symbol; noNumber if it does not occur
	with     growth.Inverted[int32] // the arcs with each feature, ascending

	growers sync.Pool // *grower, each with a slot for every feature
	reach   growth.Memo[float64, *reaches]
}

// NewItems returns an empty *Items.
func (s *Space) NewItems(syms *index.Symbols) index.Items {
	return &Items{s: s, symb: syms, forest: forest{maxSpan: s.maxSpan}}
}

// Tally counts the arcs of t by feature. With siblings=side, it counts the arcs on the two sides of a head
// separately.
func (s *Space) Tally(t *index.Tree, syms *index.Symbols, sample uint32, tally *index.Tally) {
	p := s.planter()
	defer s.planters.Put(p)
	p.keys.know(s, syms, false)
	p.keys.eachArc(t, func(m int, key []byte) {
		if f := syms.Lookup(index.Features, key); f != 0 {
			tally.Add(index.Step{Off: s.offOf(0, m >= int(t.Tokens[m].Head)), Sym: f}, sample)
		}
	})
}

// Add appends the arcs of t that growth in r needs within the limits l.
func (it *Items) Add(sample uint32, t *index.Tree, r index.Range, l index.Limits) {
	p := &it.plan
	p.keys.know(it.s, it.symb, false)
	p.plan(t, it.s.rootArcs)
	p.features(t, func(key []byte) uint32 { return it.symb.Lookup(index.Features, key) })
	if p.keepAll(); r != index.All {
		it.restrict(t, r, l)
	}
	it.forest.add(t, p, sample)
}

// restrict sets it.plan.left so that Add leaves out arcs that growth in r does not need.
func (it *Items) restrict(t *index.Tree, r index.Range, l index.Limits) {
	p := &it.plan
	levels := int32(math.MaxInt32) // number of levels below a first arc
	if l.MaxOrder > 0 {
		levels = int32(l.MaxOrder) - 1
	}
	for i := 0; i < len(p.order); {
		end := p.family(t, i)
		inherited := int32(-1)
		if h := p.head(t, i); h >= 0 && p.left[h] > 0 {
			inherited = p.left[h] - 1
		}
		beside := int32(-1) // number of levels below the siblings of a first arc; -1: there is none
		for k := i; k < end; k++ {
			p.left[k] = max(inherited, beside)
			m := p.order[k]
			off := it.s.offOf(0, m >= t.Tokens[m].Head)
			for _, f := range p.featsOf(k) {
				if r.Contains(index.Step{Off: off, Sym: f}.Packed()) {
					p.left[k], beside = levels, levels-1
					break
				}
			}
		}
		if it.s.unordered {
			for k := i; k < end; k++ {
				p.left[k] = max(p.left[k], beside)
			}
		}
		i = end
	}
}

// Seal numbers the features and lists the arcs with each feature.
func (it *Items) Seal() { it.sealOver(it.symb.Len(index.Features)) }

// sealOver does the work of Seal, for symbols up to maxSym.
func (it *Items) sealOver(maxSym int) {
	it.seal()
	count := make([]uint32, maxSym+1)
	it.syms = it.syms[:0]
	add := func(sym uint32) {
		if count[sym] == 0 {
			it.syms = append(it.syms, sym)
		}
		count[sym]++
	}
	for _, f := range it.feats {
		add(f)
	}
	byFrequency(it.syms, count)
	// Words are numbered after the features.
	features := len(it.syms)
	for _, w := range it.words {
		for _, sym := range w {
			if sym != 0 {
				add(sym)
			}
		}
	}
	byFrequency(it.syms[features:], count)
	it.numberOf = numbersOf(it.syms, count)
	it.forest.number(func(sym uint32) uint32 { return it.numberOf[sym] })
	it.forest.invert(&it.with, len(it.syms))
}

// byFrequency sorts symbols by falling count. Symbols with equal counts ascend.
func byFrequency(syms, count []uint32) {
	slices.SortFunc(syms, func(a, b uint32) int { return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b)) })
}

// numbersOf returns the number of each symbol: its index in syms, or noNumber. The list reuses the memory of
// counts.
func numbersOf(syms, counts []uint32) (numberOf []uint32) {
	for sym := range counts {
		counts[sym] = noNumber
	}
	for n, sym := range syms {
		counts[sym] = uint32(n)
	}
	return counts
}

// arcsWith returns the arcs that have the feature with this symbol.
func (it *Items) arcsWith(sym uint32) []int32 {
	n := it.numberOf[sym]
	if n == noNumber {
		return nil
	}
	return it.with.Of(int(n), int(n)+1)
}

// Bytes implements index.Items.
func (it *Items) Bytes() int64 {
	return 32*int64(cap(it.arcs)) + 8*int64(cap(it.words)) +
		4*int64(cap(it.feats)+cap(it.syms)+cap(it.numberOf)) + it.with.Bytes(cap(it.feats))
}

// Reset implements index.Items.
func (it *Items) Reset() {
	it.forest.reset()
	it.reach.Reset()
	it.with.Reset()
	it.syms, it.numberOf = it.syms[:0], nil
}

// Valued implements index.Valued, because a sample can have more embeddings of an extension than of its
// pattern.
func (*Space) Valued() {}

// reaches bounds the factor by which larger fragments can multiply the value of an embedding:
//   - C(a) bounds the factor of the arcs below arc a
//   - R(a) bounds the factor of the later arcs with the same head as a
//   - T(a) bounds the factor of a with all arcs below it
//
// With W, the best factor of a node's word (wordWorth):
//
//	T(a) = √λ · W · max(1, C(a))
//	C(a) = the largest Σ T(b) · max(1, R(b)), over the arcs b below a that share a feature
//	R(a) = the same, over the arcs b that can come after a
//
// These arcs can come after a:
//   - adjacent: the right neighbour of a
//   - any: all arcs to the right of a
//   - side: the right neighbour on the same side; for an arc on the left also all arcs on the right
//
// Without order, let X be the largest Σ T(b), over the arcs b under one head that share a feature. Then m of
// the n arcs under this head give at most Xᵐ. C is the largest Xᵐ with m ≤ n, R the largest with m ≤ n - 1.
type reaches struct {
	below, beside []float64 // C and R of each arc
	word          float64   // the factor that the word of a node multiplies by
}

// reachesOf returns the bounds C and R of all arcs (see the type `reaches`) for the decay lambda.
func (it *Items) reachesOf(lambda float64) *reaches {
	return it.reach.Of(lambda, func() *reaches {
		n := it.len()
		c := &reacher{it: it, arc: float64(math.Sqrt(lambda) * it.s.wordWorth(lambda)), reaches: reaches{make([]float64, n), make([]float64, n), math.Sqrt(lambda)}}
		// Go backwards: the bound C of an arc needs the arcs below it, which come later.
		for end := n; end > 0; {
			a := &it.arcs[end-1]
			all := c.family(int(a.begin), int(a.mid), end)
			if a.up >= 0 {
				c.below[a.up] = all
			}
			end = int(a.begin)
		}
		return &c.reaches
	})
}

type reacher struct {
	it  *Items
	arc float64 // √λ, times the best factor of the modifier's word
	reaches
	sums growth.Heaviest
}

// family computes bounds of the type reaches: R of each arc below a head, and the result C of the arc above
// them.
func (c *reacher) family(begin, mid, end int) float64 {
	switch {
	case c.it.s.unordered:
		return c.unorderedFamily(begin, end)
	case c.it.s.rule == side:
		right := c.run(mid, end, 0)
		return max(right, c.run(begin, mid, right))
	}
	return c.run(begin, end, 0)
}

// run does the work of reacher.family for the arcs [begin, end) only. R of the last arc is `nextBound`.
func (c *reacher) run(begin, end int, nextBound float64) float64 {
	c.sums.Reset(1)
	next := nextBound
	for a := end - 1; a >= begin; a-- {
		c.beside[a] = next
		if c.it.s.rule == anyChild {
			c.beside[a] = c.sums.Most()
		}
		worth := c.worth(a) * max(1, c.beside[a])
		for _, f := range c.it.featsOf(int32(a)) {
			c.sums.Add(f, worth)
		}
		next = max(nextBound, worth)
	}
	return c.sums.Most()
}

// worth returns the bound T of an arc (see the type reaches).
func (c *reacher) worth(a int) float64 { return float64(c.arc * max(1, c.below[a])) }

// unorderedFamily does the work of reacher.family in a space without order.
func (c *reacher) unorderedFamily(begin, end int) float64 {
	c.sums.Reset(1)
	for a := begin; a < end; a++ {
		for _, f := range c.it.featsOf(int32(a)) {
			c.sums.Add(f, c.worth(a))
		}
	}
	most := func(arcs int) float64 {
		if arcs == 0 {
			return 0
		}
		return max(c.sums.Most(), math.Pow(c.sums.Most(), float64(arcs)))
	}
	for a := begin; a < end; a++ {
		c.beside[a] = most(end - begin - 1)
	}
	return most(end - begin)
}

// bound returns an upper bound of the factor by which extensions can multiply an embedding's value. `a` is
// the embedding's last arc.
func (r *reaches) bound(f *forest, a int32, depth, words int) float64 {
	reach := growth.NewReach().With(r.below[a])
	for range words {
		reach = reach.With(r.word)
	}
	for ; depth >= 0; depth-- {
		reach = reach.With(r.beside[a])
		a = f.arcs[a].up
	}
	return reach.Most()
}
