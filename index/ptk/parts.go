package ptk

import "fstore/index"

// Parts implements index.Space: the pattern without one of its nodes that have no
// children; and what is below its root, where that has one child.
func (s *Space) Parts(dst []index.Code, c index.Code, _ *index.Symbols) []index.Code {
	steps, ok := c.Steps(nil)
	if !ok || len(steps) < 2 {
		return dst
	}
	first := len(dst)
	children := 0 // of the root
	for i, st := range steps {
		if st.Off == 1 {
			children++
		}
		if i == 0 || i+1 < len(steps) && steps[i+1].Off > st.Off {
			continue
		}
		// The depths of the others stay as they are.
		dst = index.AppendPart(dst, first, index.EncodeSteps(index.EncodeSteps(nil, steps[:i]), steps[i+1:]))
	}
	if children == 1 {
		var below index.Code
		for _, st := range steps[1:] {
			below = index.AppendStep(below, index.Step{Off: st.Off - 1, Sym: st.Sym})
		}
		dst = index.AppendPart(dst, first, below)
	}
	return dst
}
