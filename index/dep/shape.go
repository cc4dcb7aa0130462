package dep

import (
	"slices"
	"strings"

	"fstore/index"
)

// AppendTemplate implements index.Templated: the fragment's text with the templates
// of its arcs, `* >h.form+m.form (* >h.upos+m.upos *)`.
func (s *Space) AppendTemplate(dst []byte, c index.Code, syms *index.Symbols) []byte {
	f, ok := s.unfold(c)
	if !ok {
		return dst
	}
	features, bad := s.features(&f, syms)
	if bad >= 0 {
		return dst
	}
	return s.appendShape(dst, &f, features, -1, 0)
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

// appendShape appends the text of the node that arc above leads to, -1 the root, whose arcs
// are the first and its siblings.
func (s *Space) appendShape(dst []byte, f *fragment, features []feature, above, first int) []byte {
	node := star
	if above < 0 && f.word != 0 || above >= 0 && f.arcs[above].word != 0 {
		node += "[" + s.word.names[0] + "]"
	}
	if s.unordered {
		var kids []string
		for i := first; i >= 0; i = f.arcs[i].next {
			kids = append(kids, string(s.appendArc(nil, f, features, i)))
		}
		slices.Sort(kids)
		return append(append(dst, node...), strings.Join(kids, "")...)
	}
	for i := first; i >= 0; i = f.arcs[i].next {
		if s.rule == side && !f.arcs[i].right {
			dst = s.appendArc(dst, f, features, i)
		}
	}
	dst = append(dst, node...)
	for i := first; i >= 0; i = f.arcs[i].next {
		if s.rule != side || f.arcs[i].right {
			dst = s.appendArc(dst, f, features, i)
		}
	}
	return dst
}

// appendArc appends the text of an arc and the node below it.
func (s *Space) appendArc(dst []byte, f *fragment, features []feature, i int) []byte {
	left := s.rule == side && !f.arcs[i].right
	if !left {
		dst = append(append(append(dst, " >"...), features[i].t.text...), ' ')
	}
	if below := f.arcs[i].first; below >= 0 {
		dst = append(s.appendShape(append(dst, '('), f, features, i, below), ')')
	} else {
		dst = s.appendShape(dst, f, features, i, -1)
	}
	if left {
		dst = append(append(append(dst, " <"...), features[i].t.text...), ' ')
	}
	return dst
}
