package dep

import (
	"slices"
	"strings"

	"fstore/index"
	"fstore/index/glob"
)

// A fragment prints as its root followed by its arcs. Each arc is followed by the node that it leads to, in
// brackets if that node has arcs of its own. If the space tells the sides of a head apart, dependents on the
// left are printed left of their head:
//
//	VERB >nsubj PRON >obj (NOUN >det DET)
//	PRON <nsubj VERB >obj (DET <det NOUN)
//
// If nodes have no labels (see labels), they are stars, and an arc has its whole feature:
//
// `* >h.form=won+m.form=game (* >h.upos=NOUN+m.upos=DET *)`
//
// With words, a node's word stands after it in brackets: VERB[give] >obj NOUN.
//
// Values are escaped as in every fragment's text. The characters < > and the separators + / are escaped too,
// as \xHH. With words, [ ] are escaped as well.

// SideFields implements index.Sided.
func (s *Space) SideFields() bool {
	none := func(t template) bool { return !slices.Contains(t.fields, field{kind: direction}) }
	return !s.Sides() && !slices.ContainsFunc(s.templates, none)
}

// AppendText implements index.Space.
func (s *Space) AppendText(dst []byte, c index.Code, syms *index.Symbols) []byte {
	if r := s.read(c, syms); r != nil {
		return r.AppendText(dst)
	}
	return dst
}

// AppendText implements index.CodeReader.
func (r *codeReader) AppendText(dst []byte) []byte { return r.node(dst, -1, 0) }

// AppendTemplate implements index.Templated. It appends the fragment's text with templates in place of
// features, as in `* >h.form+m.form (* >h.upos+m.upos *)`.
func (s *Space) AppendTemplate(dst []byte, c index.Code, syms *index.Symbols) []byte {
	r := s.read(c, syms)
	if r == nil {
		return dst
	}
	r.shape, r.labels = true, nil
	return r.node(dst, -1, 0)
}

// KindOf implements index.Templated. The kind of a symbol is the number of its template. Symbols without a
// template share one more kind.
func (s *Space) KindOf(sym uint32, syms *index.Symbols) uint32 {
	var values [8]uint32
	if t, _ := s.decode(sym, syms, values[:0]); t != nil {
		return t.number
	}
	if s.word != nil {
		return s.word.number + 1
	}
	return uint32(len(s.templates))
}

// left says whether arc i is printed as an arc that leads to the left.
func (r *codeReader) left(i int) bool {
	switch s := r.s; {
	case s.rule == side:
		return !r.f.arcs[i].right
	case r.shape:
		return false
	default:
		return s.labels != nil && s.labels.dir >= 0 && r.features[i].values[s.labels.dir] == 0
	}
}

// node appends the node at the end of arc `nodeArc` (-1: the root) with all nodes below it. The arc
// `firstArc` leads to its first dependent.
func (r *codeReader) node(dst []byte, nodeArc, firstArc int) []byte {
	for i := firstArc; i >= 0; i = r.f.arcs[i].next {
		if r.left(i) {
			dst = append(r.child(dst, i), " <"...)
			dst = append(r.arc(dst, i), ' ')
		}
	}
	switch l := r.labels; {
	case l == nil:
		dst = append(dst, star...)
	case nodeArc < 0:
		dst = l.appendLabel(dst, r.features[0].values, l.head, r.syms)
	default:
		dst = l.appendLabel(dst, r.features[nodeArc].values, l.mod, r.syms)
	}
	if word := r.words[nodeArc+1]; !r.shape {
		dst = r.s.appendWord(dst, word, r.syms)
	} else if word != 0 {
		dst = append(append(append(dst, '['), r.s.word.names[0]...), ']')
	}
	if r.shape && r.s.unordered {
		return r.sortedArcs(dst, firstArc)
	}
	for i := firstArc; i >= 0; i = r.f.arcs[i].next {
		if !r.left(i) {
			dst = r.rightArc(dst, i)
		}
	}
	return dst
}

// rightArc appends arc i, which is printed with >, and the node below it.
func (r *codeReader) rightArc(dst []byte, i int) []byte {
	return r.child(append(r.arc(append(dst, " >"...), i), ' '), i)
}

// sortedArcs appends the texts of an arc and of the siblings after it, sorted.
func (r *codeReader) sortedArcs(dst []byte, firstArc int) []byte {
	var kids []string
	for i := firstArc; i >= 0; i = r.f.arcs[i].next {
		kids = append(kids, string(r.rightArc(nil, i)))
	}
	slices.Sort(kids)
	return append(dst, strings.Join(kids, "")...)
}

// child appends the node that arc i leads to, in brackets if that node has arcs.
func (r *codeReader) child(dst []byte, i int) []byte {
	first := r.f.arcs[i].first
	if first < 0 {
		return r.node(dst, i, first)
	}
	return append(r.node(append(dst, '('), i, first), ')')
}

// arc appends the name of arc i: its relation, or its feature.
func (r *codeReader) arc(dst []byte, i int) []byte {
	f := &r.features[i]
	if r.shape {
		return append(dst, f.t.text...)
	}
	if l := r.labels; l != nil {
		if l.rel >= 0 {
			dst = relation.appendValue(dst, f.values[l.rel], "<>", r.syms)
		}
		return dst
	}
	for k, fd := range f.t.fields {
		if k > 0 {
			dst = append(dst, '+')
		}
		dst = append(append(dst, f.t.names[k]...), '=')
		dst = fd.appendValue(dst, f.values[k], "<>+", r.syms)
	}
	return dst
}

// LabelFields implements index.Labelled. A space with root-arcs, words or MISC keys has no labels.
func (s *Space) LabelFields() (names []string) {
	if s.labels == nil || s.rootArcs || s.word != nil || len(s.MiscKeys()) > 0 { // a token lacks these values
		return nil
	}
	return s.labels.columns()
}

// Surface implements index.Labelled. It assumes projective trees.
func (s *Space) Surface() bool { return s.Sides() && !s.unordered }

// AppendLabels implements index.Labelled. The space must have LabelFields.
func (s *Space) AppendLabels(dst []uint32, c index.Code, syms *index.Symbols) (labels []uint32, head int) {
	r := s.read(c, syms)
	if r == nil {
		return dst, 0
	}
	from := len(dst)
	dst = r.nodes(dst, -1, 0, &head)
	return dst, (head - from) / len(s.labels.cols)
}

// nodes appends the labels of a node and of all nodes below it, in surface order. For the root, it sets *head
// to the label's index in dst.
func (r *codeReader) nodes(dst []uint32, above, first int, head *int) []uint32 {
	for i := first; i >= 0; i = r.f.arcs[i].next {
		if r.left(i) {
			dst = r.nodes(dst, i, r.f.arcs[i].first, head)
		}
	}
	values, places := r.features[0].values, r.labels.head
	if above < 0 {
		*head = len(dst)
	} else {
		values, places = r.features[above].values, r.labels.mod
	}
	for _, p := range places {
		dst = append(dst, values[p])
	}
	for i := first; i >= 0; i = r.f.arcs[i].next {
		if !r.left(i) {
			dst = r.nodes(dst, i, r.f.arcs[i].first, head)
		}
	}
	return dst
}

// AppendTokens implements index.Labelled. The space must have LabelFields.
func (s *Space) AppendTokens(dst []uint32, t *index.Tree) []uint32 {
	for i := range t.Tokens {
		for _, f := range s.labels.cols {
			dst = append(dst, f.col.Of(&t.Tokens[i]))
		}
	}
	return dst
}

// maxTurned is the largest number of arcs for which OtherSides returns texts. The sides of n arcs can be
// chosen in 2^n ways.
const maxTurned = 8

// OtherSides implements index.Sided.
func (s *Space) OtherSides(text string) (all []string) {
	if !s.Sides() {
		return nil
	}
	n, err := (&reader{s: s, text: text, pattern: true}).fragment()
	if err != nil {
		return nil
	}
	arcs := n.arcs()
	if arcs > maxTurned {
		return nil
	}
	for turned := uint(1); turned < 1<<arcs; turned++ {
		left := turned
		all = append(all, n.turn(&left).String())
	}
	return all
}

func (n *textNode) arcs() (arcs int) {
	for _, a := range n.kids {
		if a.node != nil {
			arcs += 1 + a.node.arcs()
		}
	}
	return arcs
}

// turn returns a copy of n in which some arcs go to the other side. Each arc takes the next bit of *turns,
// and the bit 1 turns the arc.
func (n *textNode) turn(turns *uint) *textNode {
	kids := slices.Clone(n.kids)
	for i := range kids {
		if a := &kids[i]; a.node != nil {
			a.left = a.left != (*turns&1 == 1)
			*turns >>= 1
			a.node = a.node.turn(turns)
		}
	}
	return &textNode{name: n.name, kids: kids}
}

func (n *textNode) String() string {
	var left, right string
	for _, a := range n.kids {
		if a.left {
			left += a.String() + " "
		} else {
			right += " " + a.String()
		}
	}
	return left + n.name + right
}

func (a textArc) String() string {
	if a.node == nil {
		return glob.Rest
	}
	node := a.node.String()
	if len(a.node.kids) > 0 {
		node = "(" + node + ")"
	}
	if a.left {
		return node + " <" + a.name
	}
	return ">" + a.name + " " + node
}

func (s *Space) makeLabels() *labels {
	if len(s.templates) != 1 {
		return nil
	}
	l := &labels{rel: -1, dir: -1, special: "<>"}
	var heads []field
	for i, f := range s.templates[0].fields {
		switch {
		case f == relation:
			l.rel = i
		case f.kind == direction:
			l.dir = i
		case f.offset != 0 || f.kind > ofModifier:
			return nil
		case f.kind == ofHead:
			heads = append(heads, f)
			l.head = append(l.head, i)
		default:
			k := len(l.mod)
			if k >= len(heads) || heads[k].col != f.col || heads[k].key != f.key {
				return nil
			}
			l.cols = append(l.cols, f)
			l.mod = append(l.mod, i)
		}
	}
	if len(l.mod) == 0 || len(l.mod) != len(l.head) {
		return nil
	}
	if len(l.cols) > 1 {
		l.special += "/"
	}
	if s.word != nil {
		l.special += wordSpecial
	}
	return l
}

// star is the text of a node without a label.
const star = "*"

// agree says whether the features fit together: each node has one label, and stands on the side that the
// feature of its arc says.
func (l *labels) agree(s *Space, f *fragment, features []feature) bool {
	for i := range f.arcs {
		p := &f.arcs[i]
		values := features[i].values
		if l.dir >= 0 && s.rule == side && p.right != (values[l.dir] == 1) {
			return false
		}
		// The label of a head is in the arc that leads to the head. The label of the root is in the root's
		// first arc.
		other, places := features[0].values, l.head
		if p.parent >= 0 {
			other, places = features[p.parent].values, l.mod
		}
		for k := range l.cols {
			if values[l.head[k]] != other[places[k]] {
				return false
			}
		}
		if l.dir >= 0 && !s.unordered && p.before >= 0 && features[p.before].values[l.dir] > values[l.dir] {
			return false
		}
	}
	return true
}

// appendLabel appends a label: the values of its columns, joined by slashes. Column i has the value
// values[places[i]].
func (l *labels) appendLabel(dst []byte, values []uint32, places []int, syms *index.Symbols) []byte {
	for i, p := range places {
		if i > 0 {
			dst = append(dst, '/')
		}
		dst = l.cols[i].appendValue(dst, values[p], l.special, syms)
	}
	return dst
}

func (l *labels) columns() (names []string) {
	for _, f := range l.cols {
		names = append(names, f.column())
	}
	return names
}
