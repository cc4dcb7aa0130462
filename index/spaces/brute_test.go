package spaces

import (
	"fmt"
	"math/rand/v2"

	"fstore/index"
	"fstore/index/brute"
)

// randomTree builds a random tree of at most size nodes over few symbols, so that
// productions recur.
func randomTree(r *rand.Rand, s *index.Symbols, t *index.Tree, oneAlphabet bool, size int) {
	b := &index.Builder{Symbols: s}
	b.Start(t, oneAlphabet)
	for roots := 1 + r.IntN(2); roots > 0 && size > 0; roots-- {
		grow(r, b, &size, 0)
	}
}

func grow(r *rand.Rand, b *index.Builder, size *int, depth int) {
	*size--
	b.Open([]byte{"ABC"[r.IntN(3)]})
	for kids := r.IntN(4); kids > 0 && *size > 0 && depth < 5; kids-- {
		if r.IntN(3) == 0 {
			*size--
			b.Word([]byte{"aAb"[r.IntN(3)]})
			continue
		}
		grow(r, b, size, depth+1)
	}
	b.Close()
}

// bruteEntry is what a fragment's row must say.
type bruteEntry struct {
	order        int
	support, occ int
	samples      []uint32 // with repeats
	roots        string   // the set of root occurrences
}

// bruteTable counts every fragment of a list of trees.
func bruteTable(space string, trees []*index.Tree, s *index.Symbols) map[string]*bruteEntry {
	table := map[string]*bruteEntry{}
	for id, t := range trees {
		for i := range t.Nodes {
			for f, o := range brute.Trees(space, t, s, i) {
				e := table[f]
				if e == nil {
					e = &bruteEntry{order: o}
					table[f] = e
				}
				if n := len(e.samples); n == 0 || e.samples[n-1] != uint32(id) {
					e.support++
				}
				e.occ++
				e.samples = append(e.samples, uint32(id))
				e.roots += fmt.Sprintf("%d.%d ", id, i)
			}
		}
	}
	return table
}

// closedOnly drops each fragment for which a larger one has the same roots.
func closedOnly(table map[string]*bruteEntry) map[string]*bruteEntry {
	best := map[string]string{}
	for f, e := range table {
		if b, ok := best[e.roots]; !ok || table[b].order < e.order {
			best[e.roots] = f
		}
	}
	kept := map[string]*bruteEntry{}
	for _, f := range best {
		kept[f] = table[f]
	}
	return kept
}
