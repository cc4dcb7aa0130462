package gradient

import (
	"context"
	"math/bits"

	"github.com/zeebo/xxh3"

	"fstore/index"
	"fstore/index/expansion"
)

// bloom is a screen: the spectral Bloom filter of Qian & Liu (2015, §4.2; Cohen & Matias 2003). A candidate
// passes if it was seen c times before. It can pass earlier, because candidates share counters.
type bloom struct {
	c     uint64
	width uint   // the bits of a counter, enough to count to C
	n     uint64 // the number of counters
	words []uint64
	at    [bloomHashes]uint64
}

// bloomHashes is how many counters a candidate has.
const bloomHashes = 5

// bloomWidth returns the smallest number of bits of a counter for C. No counter is increased beyond C.
func bloomWidth(c uint32) uint { return uint(max(bits.Len32(c), 1)) }

// newBloom returns a filter of n counters with width bits each.
func newBloom(c uint32, width uint, n uint64) *bloom {
	n = max(n, bloomHashes)
	perWord := uint64(64 / width)
	return &bloom{c: uint64(c), width: width, n: n, words: make([]uint64, (n+perWord-1)/perWord)}
}

// place returns the element of f.words that holds counter i, and how far the counter is shifted in it.
func (f *bloom) place(i uint64) (word *uint64, shift uint) {
	perWord := uint64(64 / f.width)
	return &f.words[i/perWord], uint(i%perWord) * f.width
}

// see is the method of the interface screen. Callers pass a candidate at most once per sample.
func (f *bloom) see(c index.Code) bool {
	h := xxh3.Hash128(c)
	mask := uint64(1)<<f.width - 1
	least := mask
	n := 0
hashes:
	for i := range uint64(bloomHashes) {
		at, _ := bits.Mul64(h.Lo+i*(h.Hi|1), f.n)
		for _, other := range f.at[:n] {
			if other == at {
				continue hashes // two hashes with the same counter count once
			}
		}
		f.at[n] = at
		n++
		word, shift := f.place(at)
		least = min(least, *word>>shift&mask)
	}
	if least >= f.c {
		return true
	}
	for _, at := range f.at[:n] {
		if word, shift := f.place(at); *word>>shift&mask == least {
			*word += 1 << shift
		}
	}
	return false
}

func (f *bloom) endSide() { clear(f.words) }

func (*bloom) pass(index.Code) (bool, error) { return true, nil }

func (*bloom) kept(context.Context, *expansion.Index) error { return nil }
