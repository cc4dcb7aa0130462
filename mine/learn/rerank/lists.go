package rerank

import (
	"fmt"

	"fstore/index"
	"fstore/index/treescore"
)

// Tree is the data about one tree of a list: its scores, and how well it agrees with gold.
type Tree struct {
	Base   float64          // the parser's score
	Beside []float64        // by column of Lists.Columns; missing values are 0
	Counts treescore.Counts // the comparison of the tree with gold
	// Added marks a gold tree that the parser has not offered. Learners learn from it, but never choose it.
	Added bool
}

// List is a K-best list to learn from, in the parser's order. A gold tree that was added comes last.
type List struct {
	Name, Document string
	Trees          []Tree

	gold, oracle int // indexes in Trees
}

// candidates returns the number of trees that can be chosen.
func (l *List) candidates() int {
	if n := len(l.Trees); n > 0 && l.Trees[n-1].Added {
		return n - 1
	}
	return len(l.Trees)
}

// Column describes a number that every candidate has in addition to its vector, such as the parser's score.
type Column struct {
	Name   string
	Set    string // the columns of a set are used together, or not at all
	Choice int    // the variant of the set that the column belongs to; only one variant of a set is used
}

// Lists are K-best lists in the form that learners take. They are read-only once they are made.
type Lists struct {
	Kind    index.Kind
	List    []List
	Columns []Column // of the candidates, see Tree.Beside
}

// Add appends a list, given the index of its gold tree or of a candidate with the same structure. A list
// without candidates, or without a gold tree, is an error.
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

// cost returns δ of tree t of list i, the number of its errors against gold.
func (l *Lists) cost(i, t int) float64 { return float64(l.List[i].Trees[t].Counts.Cost(l.Kind)) }

// Chosen adds up the counts of one tree of each list. For the list x at index i, treeOf(i, x) is the tree's
// index in x.Trees.
func (l *Lists) Chosen(treeOf func(i int, x *List) int) (sum treescore.Counts) {
	for i := range l.List {
		x := &l.List[i]
		sum.Add(x.Trees[treeOf(i, x)].Counts)
	}
	return sum
}

// Oracle returns the index of the candidate of x that agrees best with gold, for use with Lists.Chosen.
func Oracle(_ int, x *List) int { return x.oracle }

// Base returns the index of the first candidate of x with the highest base score, for use with Lists.Chosen.
func Base(_ int, x *List) int {
	return best(x.candidates(), func(t int) float64 { return x.Trees[t].Base })
}

// best returns the index, from 0 to n−1, with the largest score. Of equal scores it takes the first.
func best(n int, score func(i int) float64) (at int) {
	most := score(0)
	for i := 1; i < n; i++ {
		if s := score(i); s > most {
			at, most = i, s
		}
	}
	return at
}
