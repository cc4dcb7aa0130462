package tag

import (
	"encoding/binary"
	"slices"

	"fstore/index"
)

// merged is many sequences. A component is a state with all states that follow it, so sequences with the same
// end share components.
type merged struct {
	index.Multisets
	states []state // the first state of each component
	next   []int32 // for each component: the component that follows it; -1: none
	byTag  map[uint32][]uint32
}

// Merge implements index.Merging.
func (k *kernel) Merge(prepared []any) index.Merged {
	m := &merged{byTag: map[uint32][]uint32{}}
	var known index.Table // by tag, word and the component that follows
	var key []byte
	var ids []uint32
	for _, p := range prepared {
		states := p.([]state)
		next := int32(-1)
		ids = ids[:0]
		for i := len(states) - 1; i >= 0; i-- {
			st := states[i]
			if st.tag == 0 {
				next = -1
				continue
			}
			key = binary.AppendUvarint(key[:0], uint64(st.tag))
			key = binary.AppendUvarint(key, uint64(st.word))
			id, isNew := known.Intern(binary.AppendVarint(key, int64(next)))
			if isNew {
				m.states, m.next = append(m.states, st), append(m.next, next)
				m.byTag[st.tag] = append(m.byTag[st.tag], id-1)
			}
			next = int32(id - 1)
			ids = append(ids, id-1)
		}
		slices.Sort(ids)
		for _, c := range ids {
			m.Add(c, 1)
		}
		m.End()
	}
	return m
}

// Sums implements index.Merging.
func (k *kernel) Sums(dst []float64, m index.Merged, x any) {
	clear(dst)
	one := k.Merge([]any{x}).(*merged)
	_, counts := one.Of(0) // the counts of all components
	k.pairs(one, m.(*merged), nil, func(x, y uint32, r float64) { dst[y] += float64(float64(counts[x]) * r) })
}

// Pairs implements index.Pairing.
func (k *kernel) Pairs(a, b index.Merged, wanted []bool, f func(x, y uint32, r float64)) {
	k.pairs(a.(*merged), b.(*merged), wanted, f)
}

// pairs does the work of Pairs.
func (k *kernel) pairs(m, n *merged, wanted []bool, f func(x, y uint32, r float64)) {
	for x, st := range m.states {
		for _, y := range n.byTag[st.tag] {
			if wanted == nil || wanted[y] {
				f(uint32(x), y, k.run(m, n, int32(x), int32(y)))
			}
		}
	}
}

// run returns R(x,y), see kernel, for component x of m and component y of n.
func (k *kernel) run(m, n *merged, x, y int32) float64 {
	if x < 0 || y < 0 {
		return 0
	}
	c := alike(m.states[x], n.states[y])
	if c == 0 {
		return 0
	}
	return float64(float64(k.lambda*c) * (1 + k.run(m, n, m.next[x], n.next[y])))
}
