package rerank

import (
	"fmt"

	"fstore/index"
	"fstore/index/treescore"
)

// Tree is what is known of a tree of a list.
type Tree struct {
	Base   float64          // the parser's score
	Beside []float64        // by Lists.Columns; those that are not there are 0
	Counts treescore.Counts // against gold
	// Added says that it is the gold tree, which the parser has not offered: it is learned
	// from, and never chosen.
	Added bool
}

// List is a K-best list to learn from. Its trees are in the parser's order, an added gold
// tree last.
type List struct {
	Name, Document string
	Trees          []Tree

	gold, oracle int // trees
}

// candidates is the number of trees that can be chosen.
func (l *List) candidates() int {
	if n := len(l.Trees); n > 0 && l.Trees[n-1].Added {
		return n - 1
	}
	return len(l.Trees)
}

// Lists are K-best lists as learners take them. They are read-only once they are made.
type Lists struct {
	Kind    index.Kind
	List    []List
	Columns []Column // of candidates
}

// Add appends a list, which has a gold tree and a candidate: gold is the place of the gold
// tree, or of the candidate with its structure.
func (l *Lists) Add(x List, gold int) error {
	x.gold = gold
	n := x.candidates()
	if n == 0 || gold < 0 || gold >= len(x.Trees) {
		return fmt.Errorf("%s: a list without candidates, or without a gold tree", x.Name)
	}
	counts := make([]treescore.Counts, n)
	for i := range counts {
		counts[i] = x.Trees[i].Counts
	}
	x.oracle = treescore.Oracle(l.Kind, counts)
	l.List = append(l.List, x)
	return nil
}

// cost is δ of tree t of list i.
func (l *Lists) cost(i, t int) float64 { return float64(l.List[i].Trees[t].Counts.Cost(l.Kind)) }

// Chosen sums the counts of what choose takes of each list.
func (l *Lists) Chosen(choose func(i int, x *List) int) (sum treescore.Counts) {
	for i := range l.List {
		x := &l.List[i]
		sum.Add(x.Trees[choose(i, x)].Counts)
	}
	return sum
}

// Oracle is the candidate of x that agrees most with gold.
func Oracle(_ int, x *List) int { return x.oracle }

// Base is the candidate of x with the highest base score, of equals the first.
func Base(_ int, x *List) int {
	return best(x.candidates(), func(t int) float64 { return x.Trees[t].Base })
}

// best is the place below n with the largest score, of equals the first.
func best(n int, score func(i int) float64) (at int) {
	most := score(0)
	for i := 1; i < n; i++ {
		if s := score(i); s > most {
			at, most = i, s
		}
	}
	return at
}
