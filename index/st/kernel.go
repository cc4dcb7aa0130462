package st

import (
	"fstore/index"
	"fstore/index/stk"
)

// kernel is the kernel of stk for complete subtrees.
type kernel struct{ stk.DeltaKernel }

// merged is the Merged of package stk, but its method Items returns the items of st.
type merged struct {
	index.Merged
	trees *stk.Merged
}

// NewKernel implements index.Space.
func (Space) NewKernel(_ *index.Symbols, lambda float64) index.Kernel {
	return &kernel{stk.DeltaKernel{Lambda: lambda, Whole: true}}
}

// Merge implements index.Merging.
func (k *kernel) Merge(prepared []any) index.Merged {
	m := k.DeltaKernel.Merge(prepared).(*stk.Merged)
	return merged{m, m}
}

// Sums implements index.Merging.
func (k *kernel) Sums(dst []float64, m index.Merged, x any) {
	k.SumAll(dst, m.(merged).trees, x.(*stk.Prepared))
}

// Pairs implements index.Pairing.
func (k *kernel) Pairs(a, b index.Merged, wanted []bool, f func(x, y uint32, c float64)) {
	k.DeltaKernel.Pairs(a.(merged).trees, b.(merged).trees, wanted, f)
}

// Items implements index.Growable.
func (m merged) Items(s *index.Symbols, l index.Limits, tally *index.Tally) index.Items {
	it := &Items{}
	it.limit(l)
	m.trees.Fill(&it.Items, s, tally)
	return it
}
