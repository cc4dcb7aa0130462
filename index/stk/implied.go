package stk

import "fstore/index"

// Implied implements index.Implying.
func (x Space) Implied() (index.Implied, bool) {
	return index.Implied{Same: true, Complete: true}, x.MaxDepth == 0
}
