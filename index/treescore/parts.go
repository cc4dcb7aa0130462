package treescore

import "fstore/index"

// Parts are the parts of the trees of a list, numbered, so that trees can be compared with one
// another: the arcs of dependency trees, or the brackets of constituency trees, where a bracket
// that a tree has twice is two parts. Punctuation counts. It keeps its memory, and is for one
// goroutine.
type Parts struct {
	unlabelled, labelled parts
	scorer               Scorer // whose brackets count every word
	brackets             []bracket
}

// parts are the parts of all trees of a list, compared with labels or without. Tree i has the parts
// ids[start[i]:start[i+1]], each once.
type parts struct {
	number map[part]int
	ids    []int
	start  []int
	mass   []float64 // by id, for Expected
}

// part is an arc or a bracket. Fields that are not compared are zero.
type part struct {
	a, b  int32  // of an arc, the word and its head; of a bracket, where it begins and ends
	label string // of a bracket
	rel   uint32 // of an arc
	again int32  // of a bracket: how many equal ones the tree has before it
}

func (p *parts) reset() {
	if p.number == nil {
		p.number = map[part]int{}
	}
	clear(p.number)
	p.ids, p.start = p.ids[:0], append(p.start[:0], 0)
}

func (p *parts) add(x part) {
	id, ok := p.number[x]
	if !ok {
		id = len(p.number)
		p.number[x] = id
	}
	p.ids = append(p.ids, id)
}

func (p *parts) of(tree int) []int { return p.ids[p.start[tree]:p.start[tree+1]] }

// Set takes the trees of a list, which are over s, of one kind, and have the same words.
func (p *Parts) Set(list []*index.Tree, s *index.Symbols) {
	p.unlabelled.reset()
	p.labelled.reset()
	for _, t := range list {
		if t.Kind == index.Constituency {
			p.addBrackets(t, s)
		} else {
			for i := range t.Tokens {
				arc := part{a: int32(i), b: t.Tokens[i].Head}
				p.unlabelled.add(arc)
				arc.rel = t.Tokens[i].Rel
				p.labelled.add(arc)
			}
		}
		p.unlabelled.start = append(p.unlabelled.start, len(p.unlabelled.ids))
		p.labelled.start = append(p.labelled.start, len(p.labelled.ids))
	}
}

// addBrackets adds the brackets of a tree, which come in order: equal ones one after the other.
func (p *Parts) addBrackets(t *index.Tree, s *index.Symbols) {
	p.brackets = p.scorer.list(p.brackets[:0], t, s)
	var span, whole part
	for i, b := range p.brackets {
		x := part{a: b.from, b: b.to}
		if i > 0 && span.a == x.a && span.b == x.b {
			x.again = span.again + 1
		}
		span = x
		p.unlabelled.add(span)
		x = part{a: b.from, b: b.to, label: string(b.label)}
		if i > 0 && whole.a == x.a && whole.b == x.b && whole.label == x.label {
			x.again = whole.again + 1
		}
		whole = x
		p.labelled.add(whole)
	}
}

// Expected sets dst[i] to how many parts of tree i another tree has on average that is drawn from the
// list. weights are the chances of the trees, and sum to 1. With labelled set, relations or labels
// count. If one tree has all the weight, dst[i] is how many parts tree i shares with it.
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
