package spaces

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"testing"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/index/stk"
)

// If a node has more children than an edge of the index can number, codes, index and matcher still agree with
// growth.
func TestWideNodes(t *testing.T) {
	s := index.NewSymbols()
	b := &index.Builder{Symbols: s}
	var trees []*index.Tree
	for id := range 2 {
		tree := &index.Tree{}
		b.Start(tree, false)
		b.Open([]byte("S"))
		for k := range 700 {
			b.Open(fmt.Appendf(nil, "L%d", k%350))
			if (k+id)%3 > 0 {
				b.Word(fmt.Appendf(nil, "w%d", k%2))
			}
			b.Close()
		}
		b.Close()
		trees = append(trees, tree)
	}
	space := stk.Space{}
	l := index.Limits{MaxOrder: 2}
	got := growAll(t, space, trees, s, everything, l, false)
	x := buildIndex(t, space, s, got.codes)
	m := space.NewMatcher(x, s, 1)
	for id, tree := range trees {
		want := map[string]int{}
		for text, r := range got.rows {
			for _, sample := range r.Samples {
				if sample == uint32(id) {
					want[text]++
				}
			}
		}
		hits, err := m.Match(tree, 0)
		if err != nil {
			t.Fatal(err)
		}
		if len(hits) != len(want) || len(want) < 700 {
			t.Fatalf("%d hits, want %d", len(hits), len(want))
		}
		for _, h := range hits {
			text := string(space.AppendText(nil, got.codes[h.ID-1], s))
			if int(h.Match.Count) != want[text] {
				t.Fatalf("%.60s…: %v, want %d", text, h.Match.Count, want[text])
			}
		}
	}
	for _, c := range got.codes {
		text := string(space.AppendText(nil, c, s))
		if back, err := space.ParseText(text, s); err != nil || !bytes.Equal(back, c) {
			t.Fatalf("%.60s…: %v", text, err)
		}
	}
}

// The kernel of a tree with itself grows doubly exponentially, and does not overflow.
func TestKernelBeyondFloat64(t *testing.T) {
	s := index.NewSymbols()
	b := &index.Builder{Symbols: s}
	for depth := 1; depth <= 11; depth++ {
		tree := &index.Tree{}
		b.Start(tree, false)
		var grow func(d int)
		grow = func(d int) {
			b.Open([]byte("X"))
			if d > 0 {
				grow(d - 1)
				grow(d - 1)
			} else {
				b.Word([]byte("x"))
			}
			b.Close()
		}
		grow(depth)
		// The subtrees of two inner nodes match down to the lower height. A leaf and an inner node have
		// different productions.
		c := make([]*big.Float, depth+1) // C of two nodes of height h
		for h := range c {
			c[h] = new(big.Float).SetPrec(200).SetInt64(1)
			if h > 0 {
				c[h].Add(c[h-1], c[h]).Mul(c[h], c[h])
			}
		}
		cross := make([][]*big.Float, depth+1)
		sum := new(big.Float).SetPrec(200)
		for h := range cross {
			cross[h] = make([]*big.Float, depth+1)
			for k := range cross[h] {
				v := new(big.Float).SetPrec(200)
				switch {
				case h == k:
					v.Set(c[h])
				case h > 0 && k > 0:
					v.Add(cross2(cross, h-1, k-1), big.NewFloat(1)).Mul(v, v)
				}
				cross[h][k] = v
			}
		}
		for h := range cross {
			for k := range cross {
				n := new(big.Float).SetInt64(1 << (2*depth - h - k))
				sum.Add(sum, n.Mul(n, cross[h][k]))
			}
		}
		mant := new(big.Float)
		exp := sum.MantExp(mant)
		want, _ := mant.Float64()
		kernel := stk.Space{}.NewKernel(s, 1)
		p, err := kernel.Prepare(tree)
		if err != nil {
			t.Fatal(err)
		}
		got := kernel.Eval(p, p)
		if got.Exp != exp || math.Abs(got.Mant-want) > 1e-9 {
			t.Fatalf("depth %d: %v·2^%d, want %v·2^%d", depth, got.Mant, got.Exp, want, exp)
		}
		if n := index.Normalized(got, got, got); math.Abs(n-1) > 1e-12 {
			t.Fatalf("depth %d: normalized %v", depth, n)
		}
		if depth > 10 && !math.IsInf(got.Float(), 1) {
			t.Fatalf("depth %d does not overflow: the test is too small", depth)
		}
	}
}

func cross2(c [][]*big.Float, h, k int) *big.Float {
	if h < len(c) && c[h] != nil && k < len(c[h]) && c[h][k] != nil {
		return c[h][k]
	}
	return new(big.Float)
}

// A tree that is a chain of 100,000 nodes is grown and matched. Nothing may recurse over its depth.
func TestDeepTree(t *testing.T) {
	s := index.NewSymbols()
	b := &index.Builder{Symbols: s}
	tree := &index.Tree{}
	b.Start(tree, false)
	const depth = 100_000
	for range depth {
		b.Open([]byte("X"))
	}
	b.Word([]byte("x"))
	for range depth {
		b.Close()
	}
	for _, name := range treeSpaces {
		space := parse(t, name)
		got := growAll(t, space, []*index.Tree{tree}, s, everything, index.Limits{MaxOrder: 4}, false)
		m := space.NewMatcher(buildIndex(t, space, s, got.codes), s, 1)
		hits, err := m.Match(tree, 0)
		if err != nil || len(hits) != len(got.codes) {
			t.Fatalf("%s: %d hits, %d fragments, %v", name, len(hits), len(got.codes), err)
		}
		if _, err := m.Match(tree, 10); err == nil {
			t.Fatalf("%s: no error beyond the budget", name)
		}
	}
}

// Matching with a damaged index does not panic, and Verify finds the damage.
func TestMatcherOnDamagedIndex(t *testing.T) {
	trees, s := corpus(4, true, 12, 16)
	codes := growAll(t, stk.Space{}, trees, s, everything, index.Limits{}, false).codes
	x := buildIndex(t, stk.Space{}, s, codes)
	raw := bytes.Clone(x.Raw())
	if len(codes) < 100 {
		t.Fatalf("%d codes are too few for this test", len(codes))
	}
	for i := range raw {
		for _, flip := range []byte{1, 0x80, 0xFF} {
			raw[i] ^= flip
			if y, err := expansion.Parse(bytes.Clone(raw)); err == nil {
				m := stk.Space{}.NewMatcher(y, s, 1)
				for _, tree := range trees {
					_, _ = m.Match(tree, 10_000)
				}
				if y.Verify() == nil {
					t.Fatalf("byte %d changed, and the checksum is right", i)
				}
			}
			raw[i] ^= flip
		}
	}
}
