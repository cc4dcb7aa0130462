package poly

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"fstore/index"
	"fstore/index/internal/spacetest"
)

// Packs have the same fragments as brute force finds in their candidates one by one.
func TestPacks(t *testing.T) {
	for i, v := range variants {
		for seed := range uint64(8) {
			t.Run(fmt.Sprint(v.name, seed), func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, uint64(i)))
				c := corpus(t, r, v)
				s := c.Space.(*Space)
				var packs [][]*index.Tree
				var has []map[string]uint64
				maxOrder := r.IntN(5) // 0: the degree
				for range 8 {
					var trees []*index.Tree
					codes := map[string]uint64{}
					for k := range 1 + r.IntN(4) {
						x := sample(r, v, c.Symbols)
						s.Prepare(x, c.Symbols)
						trees = append(trees, x)
						for text, m := range c.Brute(x, 1) {
							code, err := s.ParseText(text, c.Symbols)
							if err != nil {
								t.Fatal(err)
							}
							if maxOrder == 0 || m.Order <= maxOrder {
								codes[string(code)] |= 1 << k
							}
						}
					}
					packs, has = append(packs, trees), append(has, codes)
				}
				spacetest.Packs(t, r, func() index.Packs { return s.NewPacks(c.Symbols, maxOrder) }, packs, has)
			})
		}
	}
}
