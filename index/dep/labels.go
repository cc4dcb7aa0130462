package dep

import (
	"errors"
	"slices"
	"strings"

	"fstore/index"
)

// labels say how fragments print with the labels of nodes, each once, as in
// `VERB >obj (NOUN >det DET)`: there is one template, it has the same columns of
// head and modifier, and nothing else but the relation and the direction.
type labels struct {
	cols      []field // of the label of a node, as of the modifier
	head, mod []int   // the places in the template of each column
	rel, dir  int     // their places, -1 where the template has none
}

func (s *Space) makeLabels() *labels {
	if len(s.templates) != 1 {
		return nil
	}
	l := &labels{rel: -1, dir: -1}
	var heads []column
	for i, f := range s.templates[0].fields {
		switch {
		case f == relation:
			l.rel = i
		case f.kind == direction:
			l.dir = i
		case f.offset != 0 || f.kind > ofModifier:
			return nil
		case f.kind == ofHead:
			heads = append(heads, f.col)
			l.head = append(l.head, i)
		default:
			k := len(l.mod)
			if k >= len(heads) || heads[k] != f.col {
				return nil
			}
			l.cols = append(l.cols, f)
			l.mod = append(l.mod, i)
		}
	}
	if len(l.mod) == 0 || len(l.mod) != len(l.head) {
		return nil
	}
	return l
}

// of returns the label among the values of a feature.
func (l *labels) of(values []uint32, places []int) []uint32 {
	label := make([]uint32, len(places))
	for i, p := range places {
		label[i] = values[p]
	}
	return label
}

// agree says whether each node has one label whichever arc tells, and stands on
// the side that its arc's direction says.
func (l *labels) agree(s *Space, f *fragment, syms *index.Symbols) bool {
	values := make([][]uint32, len(f.arcs))
	for i := range f.arcs {
		_, values[i] = s.decode(f.arcs[i].sym, syms, nil)
		if l.dir >= 0 && s.rule == side && f.arcs[i].right != (values[i][l.dir] == 1) {
			return false
		}
		head := l.of(values[i], l.head)
		before := f.arcs[i].before
		switch p := f.arcs[i].parent; {
		case p >= 0 && !slices.Equal(head, l.of(values[p], l.mod)),
			p < 0 && !slices.Equal(head, l.of(values[0], l.head)):
			return false
		case l.dir >= 0 && !s.unordered && before >= 0 && values[before][l.dir] > values[i][l.dir]:
			return false
		}
	}
	return true
}

// special are the bytes that a label or a relation escapes beyond those of
// index.AppendEscaped.
func (l *labels) special() string {
	if len(l.cols) > 1 {
		return "<>/"
	}
	return "<>"
}

// appendLabel appends a label: its columns joined by slashes.
func (l *labels) appendLabel(dst []byte, label []uint32, syms *index.Symbols) []byte {
	for i, v := range label {
		if i > 0 {
			dst = append(dst, '/')
		}
		dst = l.cols[i].appendValue(dst, v, l.special(), syms)
	}
	return dst
}

// parseLabel reads what appendLabel writes.
func (l *labels) parseLabel(text string, syms *index.Symbols) (label []uint32, err error) {
	columns := []string{text}
	if len(l.cols) > 1 {
		columns = strings.Split(text, "/")
	}
	if len(columns) != len(l.cols) {
		return nil, errors.New("the label " + text + ": expected " + l.columns())
	}
	absent := false
	for i, c := range columns {
		v, err := l.cols[i].parseValue(c, syms)
		if errors.Is(err, index.ErrAbsent) {
			absent = true
		} else if err != nil {
			return nil, err
		}
		label = append(label, v)
	}
	if absent {
		return label, index.ErrAbsent
	}
	return label, nil
}

// columns names the columns of a label.
func (l *labels) columns() string {
	var names []string
	for _, f := range l.cols {
		names = append(names, columnNames[f.col])
	}
	return strings.Join(names, "/")
}
