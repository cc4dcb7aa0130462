package emb

import (
	"fstore/index"
	"fstore/index/glob"
)

// Above implements index.Patterned: c, embedded.
func (s *Space) Above(c index.Code, _ *index.Symbols) *glob.Pattern {
	f, _ := unfold(c)
	nodes := make([]*glob.Node, len(f))
	for i := range f {
		nodes[i] = &glob.Node{Label: []uint32{uint32(f[i].label.Class()), f[i].label.Sym}}
		if i > 0 {
			above := nodes[f[i].parent]
			above.Kids = append(above.Kids, nodes[i])
		}
	}
	return &glob.Pattern{Root: nodes[0], Embedded: true}
}
