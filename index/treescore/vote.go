package treescore

import (
	"fstore/index"
)

// Votes are the votes that the candidates of a list have: their scores, where all are above
// 0 (of a list that several parsers made, how many gave that tree), else 1 each.
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

// Vote returns the place of the dependency tree whose arcs have most votes, of equals the
// first; -1 where there is none. An arc has the votes of all trees in which it is, and
// relations do not matter: of all trees of the list, it is the one with the largest expected
// attachment score, where votes are probabilities. Nothing is learned for it. All trees have
// the same number of words.
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
