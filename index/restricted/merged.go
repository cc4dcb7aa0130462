package restricted

import "fstore/index"

// merged is the inverted index of the vectors of trees. The trees with feature f are
// tree[start[f]:start[f+1]], ascending, and value has the values of f in these trees.
type merged struct {
	index.Multisets
	start []uint32
	tree  []uint32
	value []float64
}

// Merge implements index.Merging.
func (k *kernel) Merge(prepared []any) index.Merged {
	m := &merged{Multisets: index.Apart(len(prepared))}
	n, last := 0, uint32(0)
	for _, p := range prepared {
		v := p.(*vector)
		if n += len(v.id); len(v.id) > 0 {
			last = max(last, v.id[len(v.id)-1])
		}
	}
	m.start = make([]uint32, last+2)
	for _, p := range prepared {
		for _, f := range p.(*vector).id {
			m.start[f+1]++
		}
	}
	for f := range last + 1 {
		m.start[f+1] += m.start[f]
	}
	m.tree, m.value = make([]uint32, n), make([]float64, n)
	next := append([]uint32(nil), m.start...)
	for i, p := range prepared {
		v := p.(*vector)
		for j, f := range v.id {
			m.tree[next[f]], m.value[next[f]] = uint32(i), v.value[j]
			next[f]++
		}
	}
	return m
}

// Sums implements index.Merging.
func (k *kernel) Sums(dst []float64, in index.Merged, prepared any) {
	m, x := in.(*merged), prepared.(*vector)
	for i := range dst {
		dst[i] = k.offset
	}
	for i, f := range x.id {
		if int(f)+1 >= len(m.start) {
			return
		}
		v := x.value[i]
		trees := m.tree[m.start[f]:m.start[f+1]]
		values := m.value[m.start[f]:m.start[f+1]]
		for j, t := range trees {
			dst[t] += float64(v * values[j])
		}
	}
}
