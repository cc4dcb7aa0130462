package st

import "fstore/index"

// Implied implements index.Implying: a fragment ends in words, or in nodes that have no children
// in the tree, which a pattern cannot say.
func (Space) Implied() (index.Implied, bool) { return index.Implied{Complete: true, Whole: true}, true }
