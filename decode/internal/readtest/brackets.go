package readtest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// RandomBrackets is n trees over few symbols.
func RandomBrackets(n int, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 0))
	var b strings.Builder
	var node func(depth int)
	node = func(depth int) {
		fmt.Fprintf(&b, "(%c", "ABC"[r.IntN(3)])
		for range 1 + r.IntN(3) {
			if b.WriteByte(' '); depth == 3 || r.IntN(3) == 0 {
				b.WriteByte("xyz"[r.IntN(3)])
				continue
			}
			node(depth + 1)
		}
		b.WriteByte(')')
	}
	for range n {
		node(0)
		b.WriteByte('\n')
	}
	return b.String()
}
