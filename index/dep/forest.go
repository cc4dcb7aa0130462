package dep

import (
	"fstore/index"
	"fstore/index/internal/growth"
)

// arc is an arc of a sample, in the layout that growth and matching read. It takes half a cache line.
//
// Arcs are numbered sample by sample, breadth first. The arcs of one head (a family) are neighbours, in
// surface order. Within a sample, `up` never decreases from one arc to the next.
type arc struct {
	up          int32  // the arc that leads to the head, -1 if there is none
	kid, kidEnd uint32 // the arcs from the modifier to its dependents
	begin, end  uint32 // the family that the arc is in
	mid         uint32 // the first arc of the family whose modifier stands right of the head
	sample      uint32
	feat        uint32 // the features are feats[feat:] up to those of the next arc
}

// forest has the arcs of one sample or of many.
type forest struct {
	arcs  []arc    // after seal with an extra one: its feat ends the features of the last arc
	feats []uint32 // features as numbers, see syms
	syms  []uint32 // the symbol of each feature number
	words []words  // the words of each arc as numbers or noNumber, in a space with words

	maxSpan uint32 // max-span of the space; 0: none
	wide    bool   // some family has more than maxSpan arcs
}

func (f *forest) len() int { return len(f.arcs) - 1 }

// featsOf returns the features of arc a of a sealed forest.
func (f *forest) featsOf(a int32) []uint32 { return f.feats[f.arcs[a].feat:f.arcs[a+1].feat] }

// isWide says whether a family with the arcs [from, to) has more than max-span arcs (span.go).
func (f *forest) isWide(from, to uint32) bool { return f.maxSpan > 0 && to-from > f.maxSpan }

// symbolsOf returns the numbers of the symbols that a step at arc a can add: the arc's features, or a word.
func (f *forest) symbolsOf(a int32, which stepKind) []uint32 {
	if which != anArc {
		return f.words[a].list(which)
	}
	return f.feats[f.arcs[a].feat:f.arcs[a+1].feat]
}

// invert lists the arcs of each feature, ascending. All features are below n. Call `seal` first.
func (f *forest) invert(with *growth.Inverted[int32], n int) {
	with.Fill(n, func() {
		for a := range int32(f.len()) {
			for _, feat := range f.featsOf(a) {
				with.Put(feat, a)
			}
		}
	})
}

// planter plans one tree at a time: it finds the arcs, and looks up their features.
type planter struct {
	keys   keyer
	deps   index.Dependents
	order  []int32 // the modifiers of the planned arcs, in the order of the arcs
	feats  []uint32
	words  []words  // the words of each planned arc, as symbols
	starts []uint32 // the features of planned arc i are feats[starts[i]:starts[i+1]]
	left   []int32  // for each planned arc: how many levels of arcs may lie below it; -1: it is left out
	place  []int32  // for each token: which planned arc leads to it, or -1
	number []int32  // for each planned arc: its number in the forest, -1 if it is left out
}

// planter returns a planter that is not in use. The caller puts it back into s.planters.
func (s *Space) planter() *planter {
	if p, ok := s.planters.Get().(*planter); ok {
		return p
	}
	return &planter{}
}

// plan finds the arcs of t, breadth first.
func (p *planter) plan(t *index.Tree, rootArcs bool) {
	p.deps.Fill(t)
	p.order = p.order[:0]
	if roots := p.deps.Of(-1); rootArcs {
		p.order = append(p.order, roots...)
	} else {
		for _, r := range roots {
			p.order = append(p.order, p.deps.Of(r)...)
		}
	}
	for i := 0; i < len(p.order); i++ {
		p.order = append(p.order, p.deps.Of(p.order[i])...)
	}
	p.place = append(p.place[:0], make([]int32, len(t.Tokens))...)
	for i := range p.place {
		p.place[i] = -1
	}
	for i, m := range p.order {
		p.place[m] = int32(i)
	}
}

// features looks up the features and the words of the planned arcs.
func (p *planter) features(t *index.Tree, find func(key []byte) uint32) {
	p.feats, p.starts = p.feats[:0], append(p.starts[:0], 0)
	for _, m := range p.order {
		p.keys.each(t, int(m), func(key []byte) {
			if id := find(key); id != 0 {
				p.feats = append(p.feats, id)
			}
		})
		p.starts = append(p.starts, uint32(len(p.feats)))
	}
	p.findWords(t, find)
}

func (p *planter) findWords(t *index.Tree, find func(key []byte) uint32) {
	p.words = p.words[:0]
	if p.keys.s.word == nil {
		return
	}
	for _, m := range p.order {
		p.words = append(p.words, p.keys.wordsOf(t, int(t.Tokens[m].Head)-1, int(m), find))
	}
}

// featsOf returns the features of the i-th planned arc.
func (p *planter) featsOf(i int) []uint32 { return p.feats[p.starts[i]:p.starts[i+1]] }

// family returns the index after the last planned arc with the head of arc i.
func (p *planter) family(t *index.Tree, i int) (end int) {
	h := t.Tokens[p.order[i]].Head
	for end = i + 1; end < len(p.order) && t.Tokens[p.order[end]].Head == h; end++ {
	}
	return end
}

// head returns the planned arc above planned arc i, or -1.
func (p *planter) head(t *index.Tree, i int) int32 {
	if h := t.Tokens[p.order[i]].Head; h > 0 {
		return p.place[h-1]
	}
	return -1
}

func (p *planter) keepAll() {
	p.left = append(p.left[:0], make([]int32, len(p.order))...)
}

// add appends the planned arcs of a sample, except those that p.left leaves out.
func (f *forest) add(t *index.Tree, p *planter, sample uint32) {
	p.number = append(p.number[:0], make([]int32, len(p.order))...)
	for i := 0; i < len(p.order); {
		end := p.family(t, i)
		up := int32(-1)
		if h := p.head(t, i); h >= 0 {
			up = p.number[h]
		}
		begin := uint32(len(f.arcs))
		mid := begin
		for k := i; k < end; k++ {
			p.number[k] = -1
			if p.left[k] < 0 {
				continue
			}
			m := p.order[k]
			p.number[k] = int32(len(f.arcs))
			if m < t.Tokens[m].Head-1 {
				mid++
			}
			f.arcs = append(f.arcs, arc{up: up, begin: begin, sample: sample, feat: uint32(len(f.feats))})
			f.feats = append(f.feats, p.featsOf(k)...)
			if len(p.words) > 0 {
				f.words = append(f.words, p.words[k])
			}
		}
		for a := begin; a < uint32(len(f.arcs)); a++ {
			f.arcs[a].mid, f.arcs[a].end = mid, uint32(len(f.arcs))
		}
		f.wide = f.wide || f.isWide(begin, uint32(len(f.arcs)))
		if up >= 0 {
			f.arcs[up].kid, f.arcs[up].kidEnd = begin, uint32(len(f.arcs))
		}
		i = end
	}
}

// layOut sets f to all arcs of t, with their known features. Arc i leads to token p.order[i].
func (f *forest) layOut(t *index.Tree, p *planter, find func(key []byte) uint32) {
	p.plan(t, p.keys.s.rootArcs)
	p.features(t, find)
	p.keepAll()
	f.reset()
	f.add(t, p, 0)
	f.seal()
}

// number replaces the symbols of features and words by their numbers.
func (f *forest) number(numberOf func(sym uint32) uint32) {
	for i, sym := range f.feats {
		f.feats[i] = numberOf(sym)
	}
	for i := range f.words {
		f.words[i].number(numberOf)
	}
}

// seal must be called after the last add. It appends an arc that marks the end of the last arc's features.
func (f *forest) seal() { f.arcs = append(f.arcs, arc{feat: uint32(len(f.feats))}) }

func (f *forest) reset() {
	f.arcs, f.feats, f.words, f.wide = f.arcs[:0], f.feats[:0], f.words[:0], false
}
