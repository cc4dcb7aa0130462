package dep

import "fstore/index"

// LabelFields implements index.Labelled. The artificial root is no token: where it may
// be a node, nodes have no labels.
func (s *Space) LabelFields() (names []string) {
	if s.labels == nil || s.rootArcs || len(s.MiscKeys()) > 0 { // whose values a token does not have itself
		return nil
	}
	for _, f := range s.labels.cols {
		names = append(names, f.column())
	}
	return names
}

// Surface implements index.Labelled. It leaves aside that a dependent may stand on the
// other side of its head's head, as in trees that are not projective.
func (s *Space) Surface() bool { return s.marksSide() && !s.unordered }

// AppendLabels implements index.Labelled, where there are LabelFields.
func (s *Space) AppendLabels(dst []uint32, c index.Code, syms *index.Symbols) (labels []uint32, head int) {
	f, ok := s.unfold(c)
	if !ok {
		return dst, 0
	}
	w := &writer{s: s, f: &f, syms: syms, labels: s.labels}
	bad := 0
	if w.features, bad = s.features(&f, syms); bad >= 0 {
		return dst, 0
	}
	from := len(dst)
	dst = w.nodes(dst, -1, 0, &head)
	return dst, (head - from) / len(s.labels.cols)
}

// nodes appends the label of the node that arc above leads to, -1 the root, among those
// of what hangs on it: arc first and its siblings. It sets head to where the root's is.
func (w *writer) nodes(dst []uint32, above, first int, head *int) []uint32 {
	for i := first; i >= 0; i = w.f.arcs[i].next {
		if w.left(i) {
			dst = w.nodes(dst, i, w.f.arcs[i].first, head)
		}
	}
	values, places := w.features[0].values, w.labels.head
	if above < 0 {
		*head = len(dst)
	} else {
		values, places = w.features[above].values, w.labels.mod
	}
	for _, p := range places {
		dst = append(dst, values[p])
	}
	for i := first; i >= 0; i = w.f.arcs[i].next {
		if !w.left(i) {
			dst = w.nodes(dst, i, w.f.arcs[i].first, head)
		}
	}
	return dst
}

// AppendTokens implements index.Labelled, where there are LabelFields.
func (s *Space) AppendTokens(dst []uint32, t *index.Tree) []uint32 {
	for i := range t.Tokens {
		for _, f := range s.labels.cols {
			dst = append(dst, f.col.of(&t.Tokens[i]))
		}
	}
	return dst
}
