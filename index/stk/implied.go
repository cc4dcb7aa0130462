package stk

import "fstore/index"

// Implied implements index.Implying.
func (Space) Implied() (index.Implied, bool) { return index.Implied{Same: true, Complete: true}, true }
