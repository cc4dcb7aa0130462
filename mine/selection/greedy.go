package selection

import (
	"bytes"
	"context"
	"math"
	"slices"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/mine/judge"
	"fstore/store"
)

// greedy is Algorithm 5.1 of Pighin & Moschitti (2010) as printed, but without duplicates. It is here for
// comparison. It misses a fragment if positive and negative weights cancel in all smaller fragments of it.
type greedy struct {
	ctx    context.Context
	x      *Relevance
	trees  index.Widening // the trees of the model
	sigma  float64
	budget *grow.Budget
	max    int // largest order; 0: any

	seen  map[string]bool
	found []store.Entry
	saw   judge.Explanation
	v     judge.Verdicts
}

func (g *greedy) run() ([]store.Entry, error) {
	g.seen = map[string]bool{}
	var last []*index.Pattern
	g.trees.Bases(func(p *index.Pattern) {
		if g.filter(p) {
			last = append(last, p)
		}
	})
	for len(last) > 0 { // one round for each depth
		next, err := g.deeper(last)
		if err != nil {
			return nil, err
		}
		last = next
	}
	slices.SortFunc(g.found, func(a, b store.Entry) int { return bytes.Compare(a.Code, b.Code) })
	return g.found, nil
}

// deeper expands patterns by one level, and returns the new patterns that reach the threshold.
func (g *greedy) deeper(wide []*index.Pattern) (deeper []*index.Pattern, err error) {
	for width := 1; len(wide) > 0; width++ {
		var wider []*index.Pattern
		for _, p := range wide {
			if err := g.ctx.Err(); err != nil {
				return nil, err
			}
			if g.max > 0 && p.Order+width > g.max {
				continue
			}
			any, before := false, len(g.found)
			g.trees.Widen(p, width, g.possible, func(f *index.Pattern) {
				known := g.seen[string(f.Code)]
				if g.filter(f) {
					any = true
					if !known {
						deeper = append(deeper, f)
					}
				}
			})
			if any {
				wider = append(wider, p)
			}
			if err := g.budget.Take(uint64(len(g.found) - before)); err != nil {
				return nil, err
			}
		}
		wide = wider
	}
	return deeper, nil
}

// possible says whether a fragment of this order can reach the threshold if it occurs only in these
// components (see index.Merged).
func (g *greedy) possible(order int, components []uint32) bool {
	a, b := g.x.sums(components)
	return g.x.value(order)*max(a, b) >= g.sigma*judge.BoundSlack
}

// filter says whether a pattern reaches the threshold. If so, g.found has it afterwards.
func (g *greedy) filter(p *index.Pattern) bool {
	n := g.saw.At(p.Order)
	n.Counted++
	a, b := g.x.sums(p.Components)
	score := g.x.value(p.Order) * (a - b)
	if math.Abs(score) < g.sigma || score == 0 {
		return false
	}
	if g.seen[string(p.Code)] {
		return true
	}
	g.seen[string(p.Code)] = true
	n.Kept++
	n.Share += g.x.Share(score)
	e := store.Entry{Code: p.Code, Score: score, Weight: score, Stats: []float64{0, 0}}
	if g.x.count {
		support, occ := g.x.counts(p.Components, &g.v)
		e.Stats[0], e.Stats[1] = float64(support), float64(occ)
	}
	g.found = append(g.found, e)
	return true
}
