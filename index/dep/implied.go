package dep

import (
	"slices"
	"strings"

	"fstore/index"
)

// Implied implements index.Implying, where nodes are named by UPOS and arcs by relations, as in
// patterns of trees. The texts of the default space, with or without max-span, mean the same there.
func (s *Space) Implied() (im index.Implied, ok bool) {
	if !slices.Equal(s.LabelFields(), []string{columnNames[colUPOS]}) || s.labels.rel < 0 || s.rootArcs {
		return im, false
	}
	id := s.ID()
	return index.Implied{
		Same:     id == "dep" || strings.HasPrefix(id, "dep:max-span=") && !strings.Contains(id, ","),
		Sides:    s.marksSide(),
		Siblings: s.rule == anyChild,
		Spanned:  s.maxSpan > 0,
	}, true
}
