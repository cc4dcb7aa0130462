package poly

import "fstore/index"

// merged is the inverted index of samples: a basic feature, by its number, is in
// sample[start[n]:start[n+1]].
type merged struct {
	index.Apart
	number map[string]uint32
	start  []uint32
	sample []uint32
	most   int // basic features of a sample
}

// Merge implements index.Merging.
func (k *kernel) Merge(prepared []any) index.Merged {
	m := &merged{Apart: index.NewApart(len(prepared)), number: map[string]uint32{}}
	var counts []uint32
	n := 0
	for _, p := range prepared {
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
