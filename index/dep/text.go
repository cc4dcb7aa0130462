package dep

import (
	"slices"
	"strings"

	"fstore/index"
	"fstore/index/glob"
)

// A fragment prints as its root followed by its arcs, each with what it leads to,
// in brackets where that has arcs of its own. Where the space knows on which side
// of its head a word stands (by the rule side, or by the template's direction), what
// is left of the head stands left of it:
//
//	VERB >nsubj PRON >obj (NOUN >det DET)
//	PRON <nsubj VERB >obj (DET <det NOUN)
//
// Where nodes have no labels of their own (see labels), they are stars, and an arc
// has its whole feature:
//
//   - >h.form=won+m.form=game (* >h.upos=NOUN+m.upos=DET *)
//
// With words, a node's word stands behind it in brackets: VERB[give] >obj NOUN.
//
// Values are escaped as in every fragment's text, and < > and the separators + /
// as \xHH; with words, [ ] too.
const star = "*"

// Sides implements index.Sided.
func (s *Space) Sides() bool { return s.rule == side || s.labels != nil && s.labels.dir >= 0 }

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

// AppendTemplate implements index.Templated: the fragment's text with the templates
// of its arcs, `* >h.form+m.form (* >h.upos+m.upos *)`.
func (s *Space) AppendTemplate(dst []byte, c index.Code, syms *index.Symbols) []byte {
	r := s.read(c, syms)
	if r == nil {
		return dst
	}
	r.shape, r.labels = true, nil
	return r.node(dst, -1, 0)
}

// KindOf implements index.Templated: the number of the template. What is no feature of
// the space has the number after the last. Words have a number as a template has.
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

// writer writes the text of a fragment, or its shape.
type writer struct {
	s        *Space
	labels   *labels
	f        *fragment
	syms     *index.Symbols
	features []feature // of the arcs, and more
	words    []uint32  // of the root, then of each arc's modifier
	shape    bool      // write templates in place of features; labels is nil then
}

// left says whether arc i leads to the left, as far as text tells.
func (w *writer) left(i int) bool {
	switch s := w.s; {
	case s.rule == side:
		return !w.f.arcs[i].right
	case w.shape:
		return false
	default:
		return s.labels != nil && s.labels.dir >= 0 && w.features[i].values[s.labels.dir] == 0
	}
}

// node appends the node that arc above leads to, -1 the root, and what hangs on it:
// arc first and its siblings.
func (w *writer) node(dst []byte, above, first int) []byte {
	for i := first; i >= 0; i = w.f.arcs[i].next {
		if w.left(i) {
			dst = append(w.child(dst, i), " <"...)
			dst = append(w.arc(dst, i), ' ')
		}
	}
	switch l := w.labels; {
	case l == nil:
		dst = append(dst, star...)
	case above < 0:
		dst = l.appendLabel(dst, w.features[0].values, l.head, w.syms)
	default:
		dst = l.appendLabel(dst, w.features[above].values, l.mod, w.syms)
	}
	if w.shape {
		dst = w.wordKind(dst, above)
	} else {
		dst = w.s.appendWord(dst, w.words[above+1], w.syms)
	}
	if w.shape && w.s.unordered {
		return w.sorted(dst, first)
	}
	for i := first; i >= 0; i = w.f.arcs[i].next {
		if !w.left(i) {
			dst = w.right(dst, i)
		}
	}
	return dst
}

// right appends arc i, which leads to the right or to either side, and the node below it.
func (w *writer) right(dst []byte, i int) []byte {
	return w.child(append(w.arc(append(dst, " >"...), i), ' '), i)
}

// sorted appends arc first and its siblings as right does, in the order of their texts.
func (w *writer) sorted(dst []byte, first int) []byte {
	var kids []string
	for i := first; i >= 0; i = w.f.arcs[i].next {
		kids = append(kids, string(w.right(nil, i)))
	}
	slices.Sort(kids)
	return append(dst, strings.Join(kids, "")...)
}

// wordKind appends the kind of the word of the node that arc above leads to, as [form], if it has one.
func (w *writer) wordKind(dst []byte, above int) []byte {
	word := w.f.word
	if above >= 0 {
		word = w.f.arcs[above].word
	}
	if word == 0 {
		return dst
	}
	return append(append(append(dst, '['), w.s.word.names[0]...), ']')
}

// child appends what arc i leads to.
func (w *writer) child(dst []byte, i int) []byte {
	first := w.f.arcs[i].first
	if first < 0 {
		return w.node(dst, i, first)
	}
	return append(w.node(append(dst, '('), i, first), ')')
}

// arc appends the name of arc i: its relation, or its feature.
func (w *writer) arc(dst []byte, i int) []byte {
	f := &w.features[i]
	if w.shape {
		return append(dst, f.t.text...)
	}
	if l := w.labels; l != nil {
		if l.rel >= 0 {
			dst = relation.appendValue(dst, f.values[l.rel], "<>", w.syms)
		}
		return dst
	}
	for k, fd := range f.t.fields {
		if k > 0 {
			dst = append(dst, '+')
		}
		dst = append(append(dst, f.t.names[k]...), '=')
		dst = fd.appendValue(dst, f.values[k], "<>+", w.syms)
	}
	return dst
}

// maxTurned bounds the arcs of a text that OtherSides turns: n arcs turn in 2^n ways.
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
		all = append(all, string(n.turn(&left).appendTo(nil)))
	}
	return all
}

// arcs counts the arcs below n.
func (n *textNode) arcs() (arcs int) {
	for _, a := range n.kids {
		if a.node != nil {
			arcs += 1 + a.node.arcs()
		}
	}
	return arcs
}

// turn returns a copy of n in which every arc whose bit is set leads to the other side.
// It takes a bit from turned for each arc below n. Left arcs come first, as in text.
func (n *textNode) turn(turned *uint) *textNode {
	var left, right []textArc
	for _, a := range n.kids {
		if a.node != nil {
			a.left = a.left != (*turned&1 == 1)
			*turned >>= 1
			a.node = a.node.turn(turned)
		}
		if a.left {
			left = append(left, a)
		} else {
			right = append(right, a)
		}
	}
	return &textNode{name: n.name, kids: append(left, right...)}
}

// appendTo appends the text of n, whose left arcs come first.
func (n *textNode) appendTo(dst []byte) []byte {
	named := false
	for _, a := range n.kids {
		if !a.left && !named {
			dst, named = append(dst, n.name...), true
		}
		if !a.left {
			dst = append(dst, ' ')
		}
		if a.node == nil {
			dst = append(dst, glob.Rest...)
		} else {
			dst = a.appendTo(dst)
		}
		if a.left {
			dst = append(dst, ' ')
		}
	}
	if !named {
		dst = append(dst, n.name...)
	}
	return dst
}

// appendTo appends an arc and the node that it leads to.
func (a *textArc) appendTo(dst []byte) []byte {
	if !a.left {
		dst = append(append(append(dst, '>'), a.name...), ' ')
	}
	if len(a.node.kids) > 0 {
		dst = append(a.node.appendTo(append(dst, '(')), ')')
	} else {
		dst = a.node.appendTo(dst)
	}
	if a.left {
		dst = append(append(dst, " <"...), a.name...)
	}
	return dst
}
