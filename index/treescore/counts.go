// Package treescore says how well predicted trees agree with gold ones: attachment scores
// of dependency trees, as the scorers of CoNLL-X (Buchholz & Marsi 2006) and of the CoNLL
// 2018 shared task have them, and labelled brackets of constituency trees (PARSEVAL,
// Black et al. 1991), as evalb has them. A K-best list has an oracle, and a vote.
//
// Start reading here, then at scorer.go.
package treescore

import (
	"cmp"

	"fstore/index"
)

// Counts are the parts of trees that were compared, in one sentence or the sum of several:
// the arcs of dependency trees, one a word, or the brackets of constituency trees.
type Counts struct {
	Gold, Predicted uint64 // parts of the gold trees, and of the predicted ones
	Unlabelled      uint64 // predicted parts that are gold, whatever their relation or label
	Labelled        uint64 // predicted parts that are gold, relation or label included
}

// Add adds d to c.
func (c *Counts) Add(d Counts) {
	c.Gold += d.Gold
	c.Predicted += d.Predicted
	c.Unlabelled += d.Unlabelled
	c.Labelled += d.Labelled
}

// UF1 is the harmonic mean of unlabelled precision and recall, from 0 to 1: of dependency
// trees the unlabelled attachment score, as there are as many arcs as words. It is 0 where
// there is nothing to compare.
func (c Counts) UF1() float64 { return f1(c.Unlabelled, c) }

// LF1 is UF1 of labelled parts: of dependency trees the labelled attachment score.
func (c Counts) LF1() float64 { return f1(c.Labelled, c) }

// Precision is the share of the predicted brackets that are gold, label included.
func (c Counts) Precision() float64 { return ratio(c.Labelled, c.Predicted) }

// Recall is the share of the gold brackets that were predicted, label included.
func (c Counts) Recall() float64 { return ratio(c.Labelled, c.Gold) }

func f1(matched uint64, c Counts) float64 { return ratio(2*matched, c.Gold+c.Predicted) }

func ratio(a, b uint64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// matched are the parts that decide which of two trees is better: the labelled brackets, or
// the arcs whatever their relation, as rerankers of dependency trees are judged (Qian & Liu
// 2015, §6).
func (c Counts) matched(k index.Kind) uint64 {
	if k == index.Constituency {
		return c.Labelled
	}
	return c.Unlabelled
}

// Score is the share, from 0 to 1, that decides which of two trees is better: LF1 of
// constituency trees, UF1 of dependency trees.
func (c Counts) Score(k index.Kind) float64 { return f1(c.matched(k), c) }

// Cost is how far a tree is from gold, the cost δ of a structured learner: the words with
// another head, or the brackets that are in one of the two trees only.
func (c Counts) Cost(k index.Kind) uint64 {
	if k == index.Constituency {
		return c.Gold + c.Predicted - 2*c.Labelled
	}
	return c.Gold - c.Unlabelled
}

// Errors is the number of errors of a tree if relations count too. A word with another head is one
// error. A word with another head or another relation is half an error more. Of constituency trees
// it is Cost.
func (c Counts) Errors(k index.Kind) float64 {
	if k == index.Constituency {
		return float64(c.Cost(k))
	}
	return float64(c.Gold-c.Unlabelled) + float64(c.Gold-c.Labelled)/2
}

// Oracle returns the place of the tree that agrees most with gold, or -1 in an empty list. Of equal
// trees it takes the one of least cost: a tree that has nothing right may still have more wrong than
// another. Then it takes the one with the most relations right, then the first.
func Oracle(k index.Kind, list []Counts) int {
	best := -1
	for i, c := range list {
		if best < 0 {
			best = i
			continue
		}
		// In whole numbers: 2·matched / (gold + predicted) of the one against the other.
		b := list[best]
		share := cmp.Compare(c.matched(k)*(b.Gold+b.Predicted), b.matched(k)*(c.Gold+c.Predicted))
		if cmp.Or(share, cmp.Compare(b.Cost(k), c.Cost(k)), cmp.Compare(c.Labelled, b.Labelled)) > 0 {
			best = i
		}
	}
	return best
}
