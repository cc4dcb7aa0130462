// Package treescore says how well predicted trees agree with gold trees. For dependency trees it computes
// the attachment scores of CoNLL-X (Buchholz & Marsi 2006) and of the CoNLL 2018 shared task. For
// constituency trees it computes labelled bracket scores (PARSEVAL, Black et al. 1991), as evalb does. It
// also finds the oracle of a K-best list, and the tree with the most votes (Vote).
//
// Start reading here, then at scorer.go.
package treescore

import (
	"cmp"

	"fstore/index"
)

// Counts has the numbers of compared parts, for one sentence or for several. The parts of dependency trees
// are their arcs, one for each word. The parts of constituency trees are their brackets.
type Counts struct {
	Gold, Predicted uint64 // number of parts of the gold trees, and of the predicted trees
	Unlabelled      uint64 // number of predicted parts that are gold, whatever their relation or label
	Labelled        uint64 // number of predicted parts that are gold, relation or label included
}

// Add adds d to c.
func (c *Counts) Add(d Counts) {
	c.Gold += d.Gold
	c.Predicted += d.Predicted
	c.Unlabelled += d.Unlabelled
	c.Labelled += d.Labelled
}

// UF1 is the harmonic mean of unlabelled precision and recall, or 0 if there is nothing to compare. For
// dependency trees it is the unlabelled attachment score, because each word has one arc.
func (c Counts) UF1() float64 { return f1(c.Unlabelled, c) }

// LF1 is the harmonic mean of labelled precision and recall, or 0 if there is nothing to compare. For
// dependency trees it is the labelled attachment score.
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

// matched returns how many parts of the tree are right: labelled brackets, or arcs with any relation (Qian &
// Liu 2015, §6).
func (c Counts) matched(k index.Kind) uint64 {
	if k == index.Constituency {
		return c.Labelled
	}
	return c.Unlabelled
}

// Score is the number, from 0 to 1, that decides which of two trees is better: LF1 for constituency trees,
// UF1 for dependency trees.
func (c Counts) Score(k index.Kind) float64 { return f1(c.matched(k), c) }

// Cost is the cost δ that structured learners use. For dependency trees it is the number of words with a
// wrong head. For constituency trees it is the number of brackets that only one of the two trees has.
func (c Counts) Cost(k index.Kind) uint64 {
	if k == index.Constituency {
		return c.Gold + c.Predicted - 2*c.Labelled
	}
	return c.Gold - c.Unlabelled
}

// Errors is the number of errors of a dependency tree: 1.5 for a wrong head, and 0.5 for a right head with a
// wrong relation. For constituency trees it is Cost.
func (c Counts) Errors(k index.Kind) float64 {
	if k == index.Constituency {
		return float64(c.Cost(k))
	}
	return float64(c.Gold-c.Unlabelled) + float64(c.Gold-c.Labelled)/2
}

// Oracle returns the index of the tree that agrees most with gold, or -1 in an empty list. Among equal trees,
// it takes the lowest cost, then the most relations right, then the first tree.
func Oracle(k index.Kind, list []Counts) int {
	best := -1
	for i, c := range list {
		if best < 0 {
			best = i
			continue
		}
		// Compare 2·matched / (gold + predicted) of the two trees, in whole numbers.
		b := list[best]
		share := cmp.Compare(c.matched(k)*(b.Gold+b.Predicted), b.matched(k)*(c.Gold+c.Predicted))
		if cmp.Or(share, cmp.Compare(b.Cost(k), c.Cost(k)), cmp.Compare(c.Labelled, b.Labelled)) > 0 {
			best = i
		}
	}
	return best
}
