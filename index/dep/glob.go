package dep

import (
	"slices"

	"fstore/index"
	"fstore/index/glob"
)

// Tree implements index.Patterned: a node is a word. Where nodes have labels of their
// own, the root's label is that, and another's goes on with its relation, if the space
// has them; else the root has none, and another's is the feature of its arc. With words, a
// label begins with the node's word, 0 where it has none.
func (s *Space) Tree(t *glob.Tree, c index.Code, syms *index.Symbols) error {
	t.Reset()
	r, ok := s.readers.Get().(*codeReader) // a scan lays out millions
	if !ok || r.syms != syms {
		r = s.newCodeReader(syms)
	}
	defer s.readers.Put(r)
	if err := r.take(c); err != nil {
		return err
	}
	var mem [16]uint32
	t.Open(s.rootLabel(mem[:0], r.words[0], r.features[0].values)...)
	r.open(t, 0)
	t.Close()
	return nil
}

// open adds to t the node that arc i leads to, with all below it, and those of the siblings after it.
func (r *codeReader) open(t *glob.Tree, i int) {
	var mem [16]uint32
	for ; i >= 0; i = r.f.arcs[i].next {
		label := r.label(mem[:0], i)
		if r.left(i) {
			t.OpenLeft(label...)
		} else {
			t.Open(label...)
		}
		r.open(t, r.f.arcs[i].first)
		t.Close()
	}
}

// label appends the label of the node that arc i leads to.
func (r *codeReader) label(dst []uint32, i int) []uint32 {
	return r.s.arcLabel(dst, r.words[i+1], r.features[i].t, r.features[i].values)
}

// rootLabel appends the label of the root, which has this word, and of whose first arc these
// are the values.
func (s *Space) rootLabel(dst []uint32, word uint32, values []uint32) []uint32 {
	if s.word != nil {
		dst = append(dst, word)
	}
	if s.labels == nil {
		return dst
	}
	for _, k := range s.labels.head {
		dst = append(dst, values[k])
	}
	return dst
}

// arcLabel appends the label of the node, with this word, that an arc with these values leads
// to.
func (s *Space) arcLabel(dst []uint32, word uint32, t *template, values []uint32) []uint32 {
	l := s.labels
	if s.word != nil {
		dst = append(dst, word)
	}
	if l == nil {
		return append(append(dst, t.number), values...)
	}
	for _, k := range l.mod {
		dst = append(dst, values[k])
	}
	if l.rel >= 0 {
		dst = append(dst, values[l.rel])
	}
	return dst
}

// Above implements index.Patterned: c with further dependents where the rule has them, and
// words where it has none.
func (s *Space) Above(c index.Code, syms *index.Symbols) *glob.Pattern {
	r := s.read(c, syms)
	if r == nil {
		return nil
	}
	for i, word := range r.words {
		if word == 0 {
			r.words[i] = glob.Any
		}
	}
	root := &glob.Node{More: true} // it is another's dependent, maybe
	root.Label = s.rootLabel(nil, r.words[0], r.features[0].values)
	r.addKids(root, 0)
	return &glob.Pattern{Root: root, Unordered: s.unordered}
}

// addKids adds to a node its dependents, arc i leading to the first, with all below them, and the
// rest where others may stand.
func (r *codeReader) addKids(node *glob.Node, i int) {
	for ; i >= 0; i = r.f.arcs[i].next {
		kids := &node.Kids
		if r.left(i) {
			kids = &node.Left
		}
		if len(*kids) > 0 && r.s.rule == anyChild {
			*kids = append(*kids, nil)
		}
		kid := &glob.Node{Label: r.label(nil, i)}
		r.addKids(kid, r.f.arcs[i].first)
		*kids = append(*kids, kid)
	}
	// Neighbours may be on both sides of the head.
	across := r.s.rule == adjacent && len(node.Left) > 0 && len(node.Kids) > 0
	node.Left, node.Kids = slices.Insert(node.Left, 0, nil), append(node.Kids, nil)
	if !across {
		node.Left = append(node.Left, nil)
		node.Kids = slices.Insert(node.Kids, 0, nil)
	}
}

// ParsePattern implements index.Patterned. `_` is any label, relation or feature, or
// any value of one field; `...` stands for further dependents where it is, which
// before a head are those left of it:
//
//	_ >obj (NOUN >det DET)    VERB ... >obl (_ ...)    * >h.form=_+m.form=game *
//
// With words, a node without brackets has no word, and [_] is any: VERB[_] >obj NOUN.
func (s *Space) ParsePattern(text string, syms *index.Symbols) (*glob.Pattern, error) {
	r := &reader{s: s, syms: syms, text: text, pattern: true}
	n, err := r.fragment()
	if err != nil {
		return nil, err
	}
	p := &patternReader{reader: r, fixed: !s.unordered}
	root, err := p.root(n)
	if err != nil {
		return nil, err
	}
	if r.absent {
		return nil, index.ErrAbsent
	}
	return &glob.Pattern{Root: root, Unordered: s.unordered, Wild: r.wild, Prefix: p.prefix}, nil
}

// patternReader makes a pattern of what a reader read.
type patternReader struct {
	*reader
	fixed  bool // up to here every arc has its place in the code, and is in
	prefix index.Code

	second    index.Step // the word of the root, which stands behind the first arc
	fixedRoot bool       // it is known
}

func (p *patternReader) root(n *textNode) (*glob.Node, error) {
	head, err := p.label(n.name)
	if err != nil {
		return nil, err
	}
	sym, word, err := p.word(n.name)
	if err != nil {
		return nil, err
	}
	node := &glob.Node{Label: head}
	if p.s.word != nil {
		node.Label, p.second = append([]uint32{word}, head...), p.s.wordStep(0, sym)
		p.fixedRoot = word != glob.Some
	}
	return node, p.addKids(node, n, head, 0)
}

// addKids adds to node the dependents of n, whose label is head.
func (p *patternReader) addKids(node *glob.Node, n *textNode, head []uint32, depth int) error {
	for _, a := range n.kids {
		kids := &node.Kids
		if a.left {
			kids = &node.Left
		}
		if a.node == nil {
			*kids, p.fixed = append(*kids, nil), false
			continue
		}
		kid, err := p.arc(a, head, depth)
		if err != nil {
			return err
		}
		*kids = append(*kids, kid)
	}
	return nil
}

// arc returns the node that a leads to, with all below it. head is the label of the arc's head, nil if
// nodes have none.
func (p *patternReader) arc(a textArc, head []uint32, depth int) (*glob.Node, error) {
	if p.s.labels == nil && a.name == glob.Wildcard {
		p.wild, p.fixed = true, false
		if _, err := p.label(a.node.name); err != nil {
			return nil, err
		}
		_, word, err := p.word(a.node.name)
		if err != nil {
			return nil, err
		}
		node := &glob.Node{More: true}
		if p.s.word != nil {
			node.Label = []uint32{word}
		}
		return node, p.addKids(node, a.node, nil, depth+1)
	}
	t, values, err := p.values(a, head)
	if err != nil {
		return nil, err
	}
	wordSym, word, err := p.word(a.node.name)
	if err != nil {
		return nil, err
	}
	node := &glob.Node{Label: p.s.arcLabel(nil, word, t, values)}
	if slices.Contains(values, glob.Any) {
		p.fixed = false
	} else if sym := p.find(t, values); p.fixed {
		p.addPrefix(index.Step{Off: p.s.offOf(depth, !a.left), Sym: sym}, depth, wordSym, word)
	}
	var own []uint32
	if l := p.s.labels; l != nil {
		for _, k := range l.mod {
			own = append(own, values[k])
		}
	}
	return node, p.addKids(node, a.node, own, depth+1)
}

// addPrefix goes on with an arc from a node at a depth, and with the words behind it.
func (p *patternReader) addPrefix(arc index.Step, depth int, wordSym, word uint32) {
	first := len(p.prefix) == 0
	p.prefix = index.AppendStep(p.prefix, arc)
	if p.s.word == nil {
		return
	}
	if first && p.second.Sym != 0 {
		p.prefix = index.AppendStep(p.prefix, p.second)
	}
	p.fixed = word != glob.Some && (!first || p.fixedRoot)
	if p.fixed && wordSym != 0 {
		p.prefix = index.AppendStep(p.prefix, p.s.wordStep(depth+1, wordSym))
	}
}
