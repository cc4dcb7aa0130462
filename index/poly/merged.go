package poly

import "fstore/index"

// merged is the inverted index of samples, each of which is a component of its own: a basic
// feature, by its number, is in sample[start[n]:start[n+1]].
type merged struct {
	number map[string]uint32
	start  []uint32
	sample []uint32
	self   []uint32 // 0, 1, 2 …: of each sample, its component
	once   []uint32 // 1: it has that once
	most   int      // basic features of a sample
}

// Merge implements index.Merging.
func (k *kernel) Merge(prepared []any) index.Merged {
	m := &merged{number: map[string]uint32{}, self: make([]uint32, len(prepared)), once: []uint32{1}}
	var counts []uint32
	n := 0
	for i, p := range prepared {
		m.self[i] = uint32(i)
		keys := p.([]string)
		m.most = max(m.most, len(keys))
		n += len(keys)
		for _, key := range keys {
			f, ok := m.number[key]
			if !ok {
				f = uint32(len(counts))
				m.number[key] = f
				counts = append(counts, 0)
			}
			counts[f]++
		}
	}
	m.start, m.sample = make([]uint32, len(counts)+1), make([]uint32, n)
	for f, c := range counts {
		m.start[f+1] = m.start[f] + c
		counts[f] = m.start[f]
	}
	for i, p := range prepared {
		for _, key := range p.([]string) {
			next := &counts[m.number[key]]
			m.sample[*next] = uint32(i)
			*next++
		}
	}
	return m
}

// Sums implements index.Merging.
func (k *kernel) Sums(dst []float64, in index.Merged, prepared any) {
	m, keys := in.(*merged), prepared.([]string)
	clear(dst)
	for _, key := range keys {
		if f, ok := m.number[key]; ok {
			for _, i := range m.sample[m.start[f]:m.start[f+1]] {
				dst[i]++
			}
		}
	}
	k.values = k.values[:0]
	for n := range min(m.most, len(keys)) + 1 {
		k.values = append(k.values, k.value(n).Float())
	}
	for i, shared := range dst {
		dst[i] = k.values[int(shared)]
	}
}

// Components implements index.Merged.
func (m *merged) Components() int { return len(m.self) }

// Of implements index.Merged.
func (m *merged) Of(i int) (components, counts []uint32) { return m.self[i : i+1], m.once }
