package ptk

import (
	"math"
	"testing"

	"fstore/index"
	"fstore/index/internal/spacetest"
)

// The computation with large numbers gives the same result as with float64.
func TestLargeNumbers(t *testing.T) {
	eachCase(t, func(t *testing.T, c *spacetest.Case) {
		for _, lambda := range []float64{1, 0.4} {
			k := c.Space.NewKernel(c.Symbols, lambda).(*kernel)
			for _, x := range c.Trees {
				for _, y := range c.Trees {
					a, b := prepare(x), prepare(y)
					var any bool
					if k.group, any = a.Match(nil, b); !any {
						continue
					}
					if small, big := k.evalSmall(a, b), k.evalBig(a, b).Float(); math.Abs(big-small) > 1e-12*small {
						t.Fatalf("λ %v: %v, in large numbers %v", lambda, small, big)
					}
				}
			}
		}
	})
}

// If μ and λ are 1, the kernel of a node with n leaves and itself is
//
//	Σ over k of C(n,k)² = C(2n,n)
//
// plus the pairs of leaves. For 1,500 leaves this does not fit a float64.
func TestKernelBeyondFloat64(t *testing.T) {
	s := index.NewSymbols()
	tree := &index.Tree{}
	b := &index.Builder{Symbols: s}
	b.Start(tree, true)
	b.Open([]byte("S"))
	for range 1500 {
		b.Word([]byte("a"))
	}
	b.Close()
	space := newSpace(t, "1")
	for _, lambda := range []float64{1, 1e-120} {
		k := space.NewKernel(s, lambda)
		p, _ := k.Prepare(tree)
		n := k.Eval(p, p)
		if got := index.Normalized(n, n, n); n.Mant <= 0 || math.Abs(got-1) > 1e-12 {
			t.Errorf("λ %v: %v, normalized %v", lambda, n, got)
		}
		// Σ C(1500,k)² = C(3000,1500), about 2^2994.
		if lambda == 1 && (n.Exp < 2991 || n.Exp > 2997) {
			t.Errorf("2^%d", n.Exp)
		}
	}
}
