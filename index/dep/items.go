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

	// After Seal, features are numbered by falling frequency. So the features that growth counts most lie
	// side by side in its slots. The list numberOf is the inverse of syms.
	numberOf []uint32               // the number of each symbol; noNumber if it does not occur
	with     growth.Inverted[int32] // the arcs with each feature, ascending

	growers sync.Pool // *grower, each with a slot for every feature
	reach   growth.Memo[float64, *reaches]
}

const noNumber = math.MaxUint32

// NewItems returns an empty *Items.
func (s *Space) NewItems(syms *index.Symbols) index.Items {
	return &Items{s: s, symb: syms, forest: forest{maxSpan: s.maxSpan}}
}

// Tally counts the arcs of t by feature and, under the rule side, by side.
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

// Add appends the arcs of t. If r is not index.All, it appends only arcs that a fragment of order l.MaxOrder
// can reach from a first arc in r. These are the first arc, its siblings after it (without order all
// siblings), and the arcs below the first arc and these siblings.
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

// restrict sets p.left of each planned arc: the number of levels of arcs below it that Add needs, or -1 if
// Add leaves the arc out.
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

// sealOver is Seal for symbols up to largest.
func (it *Items) sealOver(largest int) {
	it.seal()
	count := make([]uint32, largest+1)
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
	// Words get the numbers after the features. The inverted index it.with has no words, because it has arcs
	// by feature.
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

// numbersOf returns the number of each symbol: its index in syms, or noNumber if it is not in syms. The
// result takes the memory of count.
func numbersOf(syms, count []uint32) (numberOf []uint32) {
	for sym := range count {
		count[sym] = noNumber
	}
	for n, sym := range syms {
		count[sym] = uint32(n)
	}
	return count
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
