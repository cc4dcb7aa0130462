package treescore

import (
	"fstore/index"
)

// Votes returns the votes of the candidates of a list. They are the scores if all are above 0: if
// several parsers made the list, a score may say how many of them gave that tree. Else each has 1.
func Votes(scores []float64) []float64 {
	votes := make([]float64, len(scores))
	for _, s := range scores {
		if !(s > 0) {
			for i := range votes {
				votes[i] = 1
			}
			return votes
		}
	}
	copy(votes, scores)
	return votes
}

// Vote returns the place of the dependency tree whose arcs have most votes, or -1 in an empty list.
// Of equal trees it takes the first. An arc has the votes of all trees that have it, whatever the
// relation. If votes are probabilities, the tree is the one of the list with the largest expected
// attachment score. Nothing is learned. All trees have the same number of words.
func Vote(list []*index.Tree, votes []float64) int {
	best, most := -1, 0.0
	for i, t := range list {
		sum := 0.0
		for k, other := range list {
			shared := 0
			for w := range t.Tokens {
				if t.Tokens[w].Head == other.Tokens[w].Head {
					shared++
				}
			}
			sum += float64(votes[k] * float64(shared))
		}
		if best < 0 || sum > most {
			best, most = i, sum
		}
	}
	return best
}
