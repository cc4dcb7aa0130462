package linearize_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"fstore/decode/linearize"
)

// randomDependencies returns n sentences over few symbols, as CoNLL-U.
func randomDependencies(n int, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 0))
	var b strings.Builder
	for range n {
		size := 1 + r.IntN(7)
		for i := 1; i <= size; i++ {
			head := 0
			if i > 1 {
				head = 1 + r.IntN(i-1)
			}
			form := "xyz"[r.IntN(3)]
			fmt.Fprintf(&b, "%d\t%c\t%c\t%c\t_\t_\t%d\t%c\t_\t_\n", i, form, form, "NV"[r.IntN(2)], head, "rs"[r.IntN(2)])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// The vectors of stored samples are the same bytes, no matter whether they are made from posting lists or
// from trees.
func TestStoredSamplesInEverySpace(t *testing.T) {
	for _, c := range []struct {
		text   func(int, uint64) string
		spaces []string
	}{
		{randomBrackets, []string{"stk", "st", "sstbow", "ptk", "seq", "emb", "tag"}},
		{randomDependencies, []string{"dep:siblings=adjacent,template=rel+h.upos+m.upos", "seq", "seq:unit=upos", "emb", "poly", "tag"}},
	} {
		s := textStore(t, c.text(20, 1), c.spaces...)
		for _, name := range c.spaces {
			t.Run(name, func(t *testing.T) {
				eachLinearizer(t, s, []linearize.FeatureSet{{Space: parseSpace(t, name)}}, sameAsTrees)
			})
		}
		t.Run("side by side", func(t *testing.T) {
			var sets []linearize.FeatureSet
			for _, name := range c.spaces[:3] {
				sets = append(sets, linearize.FeatureSet{Space: parseSpace(t, name)})
			}
			eachLinearizer(t, s, sets, sameAsTrees)
		})
	}
}
