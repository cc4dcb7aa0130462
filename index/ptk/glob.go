package ptk

import (
	"fstore/index"
	"fstore/index/glob"
)

// Above implements index.Patterned: c with any children between its own.
func (s *Space) Above(c index.Code, _ *index.Symbols) *glob.Pattern {
	var path []*glob.Node // by depth
	for len(c) > 0 {
		st, rest, ok := c.Next()
		if !ok || uint64(st.Off) > uint64(len(path)) {
			break
		}
		c = rest
		sym := index.UnpackChild(st.Sym)
		node := &glob.Node{Label: []uint32{uint32(sym.Class()), sym.Sym}, Kids: []*glob.Node{nil}}
		if st.Off > 0 {
			above := path[st.Off-1]
			above.Kids = append(above.Kids, node, nil)
		}
		path = append(path[:st.Off], node)
	}
	return &glob.Pattern{Root: path[0]}
}
