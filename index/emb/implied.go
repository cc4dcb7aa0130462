package emb

import "fstore/index"

// Implied implements index.Implying: children are descendants.
func (*Space) Implied() (index.Implied, bool) { return index.Implied{}, true }
