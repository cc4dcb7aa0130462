package pcfg

import "container/heap"

// derivation is one way to make an item: an edge, and which of the best of each tail.
type derivation struct {
	edge  *edge
	which [2]int
	log   float64
}

// kbest is the best derivations of an item so far, and candidates for the next.
type kbest struct {
	best       []derivation
	candidates candidates
	seen       map[place]bool
	begun      bool
}

// place names a derivation of an item.
type place struct {
	edge  *edge
	which [2]int
}

// candidates are a heap, the best first.
type candidates []derivation

func (c candidates) Len() int           { return len(c) }
func (c candidates) Less(i, j int) bool { return c[i].log > c[j].log }
func (c candidates) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }
func (c *candidates) Push(x any)        { *c = append(*c, x.(derivation)) }
func (c *candidates) Pop() any {
	last := len(*c) - 1
	d := (*c)[last]
	*c = (*c)[:last]
	return d
}

// get makes k the number of best derivations of an item, or all that there are: LazyKthBest of
// Huang & Chiang (2005, figure 3).
func (x *item) get(k int) {
	if !x.begun {
		x.begun = true
		x.seen = map[place]bool{}
		for i := range x.edges {
			x.consider(&x.edges[i], [2]int{})
		}
	}
	for len(x.best) < k {
		if n := len(x.best); n > 0 {
			last := x.best[n-1]
			for i := range last.edge.n {
				which := last.which
				which[i]++
				x.consider(last.edge, which)
			}
		}
		if len(x.candidates) == 0 {
			return
		}
		x.best = append(x.best, heap.Pop(&x.candidates).(derivation))
	}
}

// consider makes a derivation a candidate, if its tails have as many.
func (x *item) consider(e *edge, which [2]int) {
	p := place{e, which}
	if x.seen[p] {
		return
	}
	x.seen[p] = true
	log := e.log
	for i := range e.n {
		e.tails[i].get(which[i] + 1)
		if len(e.tails[i].best) <= which[i] {
			return
		}
		log += e.tails[i].best[which[i]].log
	}
	heap.Push(&x.candidates, derivation{e, which, log})
}

// Parse is a tree with the logarithm of its probability.
type Parse struct {
	Tree *Tree
	Log  float64
}

// Parse returns the k most probable trees of a sentence, the best first, or all that there are. Of
// a sentence that the grammar has no tree of, there is one with all words below the root, and
// found is false.
func (g *Grammar) Parse(words []string, k int) (trees []Parse, found bool) {
	goal := g.chart(words)
	if goal == nil {
		return []Parse{{g.flat(words), 0}}, false
	}
	goal.get(k)
	for i := range goal.best {
		trees = append(trees, Parse{g.trees(goal, i)[0], goal.best[i].log})
	}
	return trees, true
}

// trees are the nodes that derivation i of an item stands for: several of a beginning.
func (g *Grammar) trees(x *item, i int) (all []*Tree) {
	d := x.best[i]
	for k := range d.edge.n {
		all = append(all, g.trees(d.edge.tails[k], d.which[k])...)
	}
	if x.label < 0 {
		return all
	}
	return []*Tree{{Kids: all, Word: d.edge.word, Label: g.labels[x.label]}}
}
