package query

import (
	"fmt"

	"fstore/index"
)

// otherSides names the stored fragment that differs from a text only in the sides of heads
// on which words stand, the one of the highest support; "" where none is stored.
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
	return fmt.Sprintf("> is right of the head, and < left of it: %s has support %s", t.Text(nil, best.Code), index.Thousands(best.Support))
}
