package query

import (
	"context"
	"fmt"
	"strings"

	"fstore/index"
	"fstore/index/glob"
)

// maxSidedPatterns is how many patterns otherSides seeks at once: those of three arcs.
const maxSidedPatterns = 7

// otherSides names a stored fragment that differs from a text, or from what a pattern fits,
// only in the sides of heads on which words stand: the one of the highest support. It is ""
// where none is stored.
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
	if strings.Contains(text, glob.Wildcard) || strings.Contains(text, glob.Rest) {
		if err := t.fitting(others, take); err != nil {
			return ""
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

// fitting calls f for the stored fragments that fit one of a few patterns.
func (t *Table) fitting(texts []string, f func(*Row) error) error {
	space, ok := t.Space.(index.Patterned)
	if !ok || len(texts) > maxSidedPatterns {
		return nil
	}
	var sieves []*sieve
	for _, text := range texts {
		p, err := space.ParsePattern(text, t.syms)
		if err != nil {
			continue // a name that no sample has
		}
		s, err := t.newSieve(Filter{Pattern: p})
		if err != nil {
			return err
		}
		sieves = append(sieves, s)
	}
	if len(sieves) == 0 {
		return nil
	}
	return t.scan(context.Background(), nil, nil, func(c index.Code, list []byte) (bool, error) {
		for _, s := range sieves {
			if ok, err := s.keeps(c, list); ok || err != nil {
				return ok, err
			}
		}
		return false, nil
	}, false, f)
}
