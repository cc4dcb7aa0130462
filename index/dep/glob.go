package dep

import (
	"slices"

	"fstore/index"
	"fstore/index/glob"
)

// Tree implements index.Patterned. A node stands for a token. Its label comes from rootLabel or arcLabel.
func (s *Space) Tree(t *glob.Tree, c index.Code, syms *index.Symbols) error {
	t.Reset()
	r, ok := s.readers.Get().(*codeReader) // no new reader: a scan lays out millions of codes
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

// open adds to t the modifiers of arc i and of the siblings after it, with all nodes below.
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

func (r *codeReader) label(dst []uint32, i int) []uint32 {
	return r.s.arcLabel(dst, r.words[i+1], r.features[i].t, r.features[i].values)
}

// rootLabel appends the label of the root, given its word and the values of its first arc.
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

// arcLabel appends the label of a node, given its word and the feature of the arc that leads to it.
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

// Above implements index.Patterned. The pattern is c, with further dependents wherever the space allows them.
// A node without a word fits nodes with any word or none.
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
	root := &glob.Node{More: true} // in a larger fragment, the node may be a dependent and have a relation
	root.Label = s.rootLabel(nil, r.words[0], r.features[0].values)
	r.addKids(root, 0)
	return &glob.Pattern{Root: root, Unordered: s.unordered}
}

// addKids adds the dependents of a node from arc i on, with all nodes below them. It adds glob.Rest (nil)
// wherever further dependents are allowed.
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
	// If the rule is `adjacent` and dependents are on both sides of the head, none can be added between them.
	across := r.s.rule == adjacent && len(node.Left) > 0 && len(node.Kids) > 0
	node.Left, node.Kids = slices.Insert(node.Left, 0, nil), append(node.Kids, nil)
	if !across {
		node.Left = append(node.Left, nil)
		node.Kids = slices.Insert(node.Kids, 0, nil)
	}
}

// ParseText implements index.Space.
func (s *Space) ParseText(text string, syms *index.Symbols) (index.Code, error) {
	r := &reader{s: s, syms: syms, text: text}
	_, f, err := r.read()
	if err != nil {
		return nil, err
	}
	return s.code(f), nil
}

// ParsePattern implements index.Patterned. `_` is any label, relation or feature, or any value of one field.
// `...` is any further dependents at its place:
//
//	_ >obj (NOUN >det DET)    VERB ... >obl (_ ...)    * >h.form=_+m.form=game *
//
// In a space with words, VERB[_] has any word, and VERB has none.
func (s *Space) ParsePattern(text string, syms *index.Symbols) (*glob.Pattern, error) {
	r := &reader{s: s, syms: syms, text: text, pattern: true}
	root, f, err := r.read()
	if err != nil {
		return nil, err
	}
	p := &glob.Pattern{Root: root, Unordered: s.unordered, Wild: r.wild}
	if len(f.arcs) > 0 && !s.unordered {
		p.Prefix = s.code(f)
	}
	return p, nil
}

// read reads a fragment or a pattern. The fragment that it returns has only the arcs before the first
// wildcard.
func (r *reader) read() (*glob.Node, *fragment, error) {
	n, err := r.fragment()
	if err != nil {
		return nil, nil, err
	}
	b := &builder{reader: r, known: true}
	root, err := b.root(n)
	if err == nil && r.absent {
		err = index.ErrAbsent
	}
	return root, &b.f, err
}

// builder makes a fragment, and nodes for package glob, from the text nodes that a reader has read.
type builder struct {
	*reader
	f       fragment
	known   bool // all arcs up to here are fully given, and in f
	anyWord bool // the root has a word, but any word fits
}

func (b *builder) root(n *textNode) (*glob.Node, error) {
	head, err := b.label(n.name)
	if err != nil {
		return nil, err
	}
	sym, word, err := b.word(n.name)
	if err != nil {
		return nil, err
	}
	b.f.word, b.anyWord = sym, word == glob.Some
	node := &glob.Node{Label: head}
	if b.s.word != nil {
		node.Label = append([]uint32{word}, head...)
	}
	return node, b.addKids(node, n, head, -1)
}

// addKids adds the dependents of n to a node of a pattern. `head` is the label of n, `parent` the arc to n.
func (b *builder) addKids(node *glob.Node, n *textNode, head []uint32, parent int) error {
	before := -1
	for _, a := range n.kids {
		kids := &node.Kids
		if a.left {
			kids = &node.Left
		}
		if a.node == nil {
			*kids, b.known = append(*kids, nil), false
			continue
		}
		at := len(b.f.arcs)
		kid, err := b.arc(a, head, parent, before)
		if err != nil {
			return err
		}
		*kids, before = append(*kids, kid), at
	}
	return nil
}

// arc returns the node that `a` leads to, with all nodes below it.
func (b *builder) arc(a textArc, head []uint32, parent, before int) (node *glob.Node, err error) {
	anyArc := b.pattern && b.s.labels == nil && a.name == glob.Wildcard
	var t *template
	var values []uint32
	if !anyArc {
		if t, values, err = b.values(a, head); err != nil {
			return nil, err
		}
	}
	if anyArc || !b.pattern {
		if _, err := b.label(a.node.name); err != nil {
			return nil, err
		}
	}
	sym, word, err := b.word(a.node.name)
	if err != nil {
		return nil, err
	}
	at := len(b.f.arcs)
	if anyArc {
		b.wild, b.known = true, false
		node := &glob.Node{More: true}
		if b.s.word != nil {
			node.Label = []uint32{word}
		}
		return node, b.addKids(node, a.node, nil, at)
	}
	if slices.Contains(values, glob.Any) {
		b.known = false
	} else if feature := b.find(t, values); b.known {
		b.f.add(feature, parent, before, b.s.rule == side && !a.left)
		if b.known = word != glob.Some && !(at == 0 && b.anyWord); b.known {
			b.f.arcs[at].word = sym
		}
	}
	var own []uint32
	if l := b.s.labels; l != nil {
		for _, k := range l.mod {
			own = append(own, values[k])
		}
	}
	node = &glob.Node{Label: b.s.arcLabel(nil, word, t, values)}
	return node, b.addKids(node, a.node, own, at)
}
