package ptk

import "fstore/index"

// Implied implements index.Implying.
func (*Space) Implied() (index.Implied, bool) { return index.Implied{}, true }
