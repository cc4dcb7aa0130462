package dep

import "fstore/index"

// AppendTemplate implements index.Templated: the fragment's text with the templates
// of its arcs, `* >h.form+m.form (* >h.upos+m.upos *)`.
func (s *Space) AppendTemplate(dst []byte, c index.Code, syms *index.Symbols) []byte {
	f, ok := s.unfold(c)
	if !ok {
		return dst
	}
	features, bad := s.features(nil, &f, syms)
	if bad >= 0 {
		return dst
	}
	return (&writer{s: s, f: &f, features: features, shape: true}).node(dst, -1, 0)
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
