package dep

import "fstore/index"

// labels say how fragments print with one label for each node, as in `VERB >obj (NOUN >det DET)`. A space
// has labels if it has a single template with the same columns of head and modifier. Apart from these
// columns, the template can have only the relation and the direction.
type labels struct {
	cols      []field // the columns of a node's label, as fields of the modifier
	head, mod []int   // where in the template each column stands, for the head and for the modifier
	rel, dir  int     // where in the template relation and direction stand; -1: not there
	special   string  // the characters that labels escape in addition to those of every text
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

// agree says whether each node has the same label in all its arcs, and stands on the side that its arc's
// direction says.
func (l *labels) agree(s *Space, f *fragment, features []feature) bool {
	for i := range f.arcs {
		p := &f.arcs[i]
		values := features[i].values
		if l.dir >= 0 && s.rule == side && p.right != (values[l.dir] == 1) {
			return false
		}
		// The arc that leads to a head gives the head's label. No arc leads to the root, so the root's first
		// arc gives the root's label.
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

// appendLabel appends a label: its columns, joined by slashes. The list places says where in values the
// columns are.
func (l *labels) appendLabel(dst []byte, values []uint32, places []int, syms *index.Symbols) []byte {
	for i, p := range places {
		if i > 0 {
			dst = append(dst, '/')
		}
		dst = l.cols[i].appendValue(dst, values[p], l.special, syms)
	}
	return dst
}

// columns returns the names of the columns of a label.
func (l *labels) columns() (names []string) {
	for _, f := range l.cols {
		names = append(names, f.column())
	}
	return names
}

// LabelFields implements index.Labelled. With root-arcs nodes have no labels, since the artificial root can
// be a node but is not a token. With words nodes have no labels either, since how often a node occurs
// depends on its word.
func (s *Space) LabelFields() (names []string) {
	if s.labels == nil || s.rootArcs || s.word != nil || len(s.MiscKeys()) > 0 { // a token lacks these values
		return nil
	}
	return s.labels.columns()
}

// Surface implements index.Labelled. It ignores that in trees that are not projective, a dependent can stand
// on the other side of its head's head.
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

// nodes appends the labels of a node and of all nodes below it, in surface order. Arc above leads to the
// node, and arc first is its first dependent, or -1. If above is -1, the node is the root, and *head is set
// to the index at which the root's label starts.
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
