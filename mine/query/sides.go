package query

import (
	"fmt"

	"fstore/index"
)

// otherSides says which stored fragment differs from a text, which is none, in the sides of
// its heads on which words stand; "" where there is none.
func (t *Table) otherSides(text string) string {
	space, ok := t.Space.(index.Sided)
	if !ok {
		return ""
	}
	var best *Row
	for _, c := range space.OtherSides(text, t.syms) {
		if r, err := t.Get(c); err == nil && (best == nil || r.Support > best.Support) {
			best = r
		}
	}
	if best == nil {
		return ""
	}
	return fmt.Sprintf("; > is right of the head, and < left of it: %s has support %s", t.Text(nil, best.Code), index.Thousands(best.Support))
}
