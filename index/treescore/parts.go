package treescore

import "fstore/index"

// Parts gives each part of the trees of a list an id. A part is an arc or a bracket. A bracket that a tree
// has twice is two parts. Parts reuses its memory, and is for one goroutine.
type Parts struct {
	unlabelled, labelled parts
	scorer               Scorer // a scorer that counts every word, for its brackets
	brackets             []bracket
}

// parts has ids for the arcs and brackets of all trees of a list. The ids of tree i are
// ids[start[i]:start[i+1]].
type parts struct {
	number map[arcOrBracket]int
	ids    []int
	start  []int
	mass   []float64 // scratch of Expected, by id
}

// arcOrBracket is the key of an arc or a bracket. Fields that are not compared are zero.
type arcOrBracket struct {
	a, b  int32  // for an arc: the word and its head; for a bracket: where it begins and ends
	label string // the label of a bracket
	rel   uint32 // the relation of an arc
	again int32  // for a bracket: how many equal brackets the tree has before it
}

func (p *parts) reset() {
	if p.number == nil {
		p.number = map[arcOrBracket]int{}
	}
	clear(p.number)
	p.ids, p.start = p.ids[:0], append(p.start[:0], 0)
}

func (p *parts) add(x arcOrBracket) {
	id, ok := p.number[x]
	if !ok {
		id = len(p.number)
		p.number[x] = id
	}
	p.ids = append(p.ids, id)
}

func (p *parts) of(tree int) []int { return p.ids[p.start[tree]:p.start[tree+1]] }

// Set gives ids to the parts of the trees in list. The trees must have the same kind and the same words.
// Their symbols are in s.
func (p *Parts) Set(list []*index.Tree, s *index.Symbols) {
	p.unlabelled.reset()
	p.labelled.reset()
	for _, t := range list {
		if t.Kind == index.Constituency {
			p.addBrackets(t, s)
		} else {
			for i := range t.Tokens {
				arc := arcOrBracket{a: int32(i), b: t.Tokens[i].Head}
				p.unlabelled.add(arc)
				arc.rel = t.Tokens[i].Rel
				p.labelled.add(arc)
			}
		}
		p.unlabelled.start = append(p.unlabelled.start, len(p.unlabelled.ids))
		p.labelled.start = append(p.labelled.start, len(p.labelled.ids))
	}
}

// addBrackets adds the brackets of a tree. Brackets are sorted, so equal brackets follow one another.
func (p *Parts) addBrackets(t *index.Tree, s *index.Symbols) {
	p.brackets = p.scorer.list(p.brackets[:0], t, s)
	var span, whole arcOrBracket
	for i, b := range p.brackets {
		x := arcOrBracket{a: b.from, b: b.to}
		if i > 0 && span.a == x.a && span.b == x.b {
			x.again = span.again + 1
		}
		span = x
		p.unlabelled.add(span)
		x = arcOrBracket{a: b.from, b: b.to, label: string(b.label)}
		if i > 0 && whole.a == x.a && whole.b == x.b && whole.label == x.label {
			x.again = whole.again + 1
		}
		whole = x
		p.labelled.add(whole)
	}
}

// Expected sets dst[i] to the expected number of parts that tree i shares with a tree drawn from the list.
// The probability of drawing tree k is weights[k]. The last parameter says whether shared parts must have the
// same relation or label.
func (p *Parts) Expected(dst, weights []float64, labelled bool) {
	all := &p.unlabelled
	if labelled {
		all = &p.labelled
	}
	all.mass = append(all.mass[:0], make([]float64, len(all.number))...)
	for i, w := range weights {
		if w == 0 {
			continue
		}
		for _, id := range all.of(i) {
			all.mass[id] += w
		}
	}
	for i := range dst {
		dst[i] = 0
		for _, id := range all.of(i) {
			dst[i] += all.mass[id]
		}
	}
}
