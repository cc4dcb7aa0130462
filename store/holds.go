package store

import (
	"fmt"
)

// describeKeys says in words what data the keys from lo to hi hold, and what to do if these data are lost.
func (m *Meta) describeKeys(lo, hi []byte) string {
	if len(lo) == 0 || len(hi) == 0 {
		return fmt.Sprintf("keys %x to %x", lo, hi)
	}
	if lo[0] != hi[0] {
		return fmt.Sprintf("keys of %s to %s", Kind(lo[0]), Kind(hi[0]))
	}
	switch k := Kind(lo[0]); k {
	case KindMeta:
		return "the record of what the store holds, of which there is a copy"
	case KindSymbol:
		return "labels, words and productions: without them the store must be built again"
	case KindSample:
		first, _ := parseNumber(lo[1:])
		last, _ := parseNumber(hi[1:])
		return fmt.Sprintf("samples %d to %d (counted from 0): trees that are lost must be added again", first, last)
	default:
		p, from, ok := parsePlace(lo)
		q, to, ok2 := parsePlace(hi)
		if !ok || !ok2 || p != q {
			return k.String()
		}
		return m.describePlace(p, from, to)
	}
}

// describePlace is describeKeys for keys of the keyspace p, without the prefix of p.
func (m *Meta) describePlace(p keyspace, from, to []byte) string {
	const again = "follows from the trees"
	name, used := m.live()[p]
	if !used {
		return p.kind.String() + " that are not in use"
	}
	switch p.kind {
	case KindLabel:
		return fmt.Sprintf("the samples of the labels %q to %q: that %s", from, to, again)
	case KindFragment:
		return fmt.Sprintf("fragments of space %s with the codes %x to %x: that %s", name, from, to, again)
	case KindRank:
		return fmt.Sprintf("ranks of space %s: that %s", name, again)
	case KindSelection:
		first, _ := parseNumber(from)
		last, _ := parseNumber(to)
		return fmt.Sprintf("fragments %d to %d of selection %s, which must be made again", first, last, name)
	}
	return fmt.Sprintf("model %s, which must be made again", name)
}
