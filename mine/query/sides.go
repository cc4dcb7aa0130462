package query

import (
	"context"
	"fmt"

	"fstore/index"
)

// maxSidedPatterns is the largest number of patterns that otherSides looks for. Three arcs have seven other
// choices of sides.
const maxSidedPatterns = 7

// otherSides returns a hint at a stored fragment that differs from the text only in sides (left or right of a
// head), or "" if there is none.
func (t *Table) otherSides(text string) string {
	space, ok := t.Space.(index.Sided)
	if !ok {
		return ""
	}
	best := ""
	support := uint32(0)
	take := func(r *Row) error {
		if r.Support > support {
			best, support = string(t.Text(nil, r.Code)), r.Support
		}
		return nil
	}
	others := space.OtherSides(text)
	patterned, ok := t.Space.(index.Patterned)
	if ok && len(others) <= maxSidedPatterns && IsWild(text) {
		if all := patterns(patterned, others, t.syms); len(all) > 0 {
			if err := t.List(context.Background(), Filter{Pattern: all[0], Or: all[1:]}, take); err != nil {
				return ""
			}
		}
	}
	for _, other := range others {
		if c, err := t.Space.ParseText(other, t.syms); err == nil {
			if r, err := t.Get(c); err == nil {
				_ = take(r)
			}
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("> is right of the head, and < left of it: %s has support %s", best, index.Thousands(support))
}
