package poly

import (
	"slices"
	"strings"

	"fstore/index"
	"fstore/index/internal/growth"
)

// kernel is (n + 1)^d over binary features: n is the number of basic features that two samples share, and d
// is the degree. The kernel includes 1 for the empty set, which is no fragment.
type kernel struct {
	degree int
	keys   lister
	values []float64 // scratch: the kernel's value for each number of shared features
}

// NewKernel implements index.Space. It ignores λ.
func (s *Space) NewKernel(*index.Symbols, float64) index.Kernel {
	return &kernel{degree: s.degree, keys: s.newLister(nil)}
}

// Offset implements index.Offset. It is the value of the empty set.
func (*kernel) Offset() float64 { return 1 }

// Prepare implements index.Kernel. It returns the keys of the tree's basic features, ascending.
func (k *kernel) Prepare(t *index.Tree) (any, error) {
	if t.Unparsed() {
		return nil, index.ErrUnparsed
	}
	var keys []string
	k.keys.each(t, func(_ int, key []byte) { keys = append(keys, string(key)) })
	slices.Sort(keys)
	return slices.Clip(slices.Compact(keys)), nil
}

// Eval implements index.Kernel.
func (k *kernel) Eval(x, y any) index.Number {
	return k.value(shared(x.([]string), y.([]string)))
}

// value returns the kernel's value for two samples that share n features.
func (k *kernel) value(n int) index.Number {
	base := index.NumberOf(float64(n + 1))
	power := base
	for range k.degree - 1 {
		power = power.Mul(base)
	}
	return power
}

// shared counts the keys that two ascending lists share.
func shared(a, b []string) (n int) {
	index.Shared(a, b, strings.Compare, func(_, _ int) { n++ })
	return n
}

// merged is the inverted index from basic features to samples.
type merged struct {
	index.Multisets
	number map[string]uint32       // the number of each basic feature, by its key
	with   growth.Inverted[uint32] // the samples with each basic feature
	most   int                     // the largest number of basic features in a sample
}

// Merge implements index.Merging.
func (k *kernel) Merge(prepared []any) index.Merged {
	m := &merged{Multisets: index.Apart(len(prepared)), number: map[string]uint32{}}
	for _, p := range prepared {
		keys := p.([]string)
		m.most = max(m.most, len(keys))
		for _, key := range keys {
			if _, ok := m.number[key]; !ok {
				m.number[key] = uint32(len(m.number))
			}
		}
	}
	m.with.Fill(len(m.number), func() {
		for i, p := range prepared {
			for _, key := range p.([]string) {
				m.with.Put(m.number[key], uint32(i))
			}
		}
	})
	return m
}

// Sums implements index.Merging.
func (k *kernel) Sums(dst []float64, in index.Merged, prepared any) {
	m, keys := in.(*merged), prepared.([]string)
	clear(dst)
	for _, key := range keys {
		if f, ok := m.number[key]; ok {
			for _, i := range m.with.Of(int(f), int(f)+1) {
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
