package poly

import (
	"slices"
	"strings"

	"fstore/index"
)

// kernel is (aᵀb + 1)^d over binary features: aᵀb is the number of basic features that
// two samples share. The empty set, which is no fragment, adds 1 to every value: the
// dot product over all fragments is the kernel less 1. It is an index.Merging: an inverted
// index says how many features a sample shares with each of many (merged.go).
type kernel struct {
	degree int
	keys   lister
	values []float64 // scratch: of each number of shared features
}

// NewKernel implements index.Space; λ plays no part.
func (s *Space) NewKernel(*index.Symbols, float64) index.Kernel {
	return &kernel{degree: s.degree, keys: s.newLister(nil)}
}

// Offset implements index.Offset: the value of the empty set.
func (*kernel) Offset() float64 { return 1 }

// Prepare implements index.Kernel: the keys of a tree's basic features, ascending.
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

// value is the kernel of samples that share n features.
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
