package dep

import (
	"slices"

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
	return append(dst, s.shape(&f, features, 0)...)
}

// KindOf implements index.Templated: the number of the template. What is no feature of
// the space has the number after the last.
func (s *Space) KindOf(sym uint32, syms *index.Symbols) uint32 {
	var values [8]uint32
	if t, _ := s.decode(sym, syms, values[:0]); t != nil {
		return t.number
	}
	return uint32(len(s.templates))
}

// shape is the text of a node whose arcs are the first and its siblings.
func (s *Space) shape(f *fragment, features []feature, first int) string {
	var left, right []string
	for i := first; i >= 0; i = f.arcs[i].next {
		kid := star
		if below := f.arcs[i].first; below >= 0 {
			kid = "(" + s.shape(f, features, below) + ")"
		}
		if name := features[i].t.text; s.rule == side && !f.arcs[i].right {
			left = append(left, kid+" <"+name+" ")
		} else {
			right = append(right, " >"+name+" "+kid)
		}
	}
	if s.unordered {
		slices.Sort(right)
	}
	var text []byte
	for _, k := range left {
		text = append(text, k...)
	}
	text = append(text, star...)
	for _, k := range right {
		text = append(text, k...)
	}
	return string(text)
}
