package projection

import (
	"fstore/index"
	"fstore/index/internal/growth"
)

// Grow implements index.Items.
func (it *Items) Grow(r index.Range, w index.Weights, l index.Limits, v index.Visitor) (index.Counts, error) {
	g := &grower{it: it}
	return it.Rows.Grow(r, w, l, v, g.following, nil, growth.NoPlaces)
}

// grower grows fragments. Each occurrence of a fragment counts as one match with the value 1.
type grower struct {
	it      *Items
	entries []growth.Entry
}

// following calls f with the entries that can follow the given occurrences of a pattern.
func (g *grower) following(last []growth.Place, _ []float64, f func([]growth.Entry)) {
	it := g.it
	g.entries = g.entries[:0]
	for _, p := range last {
		row := &it.Ends[p.From]
		from, end := it.after(p.At), row.End
		if w := uint32(it.width); w > 0 {
			end = min(from+w, end)
		}
		for at := from; at < end; at++ {
			g.entries = append(g.entries, growth.Entry{
				Num: it.Nums[at], Sample: row.Sample,
				Place: growth.Place{At: at, From: p.From}, W: 1,
			})
		}
		if len(g.entries) >= growth.Chunk {
			f(g.entries)
			g.entries = g.entries[:0]
		}
	}
	f(g.entries)
}

// after returns the index of the first symbol that can follow the symbol at index `at`.
func (it *Items) after(at uint32) uint32 {
	if it.width == 0 {
		return at + 1
	}
	w := uint32(it.width)
	return at - at%w + w
}
