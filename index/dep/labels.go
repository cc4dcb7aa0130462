package dep

import "fstore/index"

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
