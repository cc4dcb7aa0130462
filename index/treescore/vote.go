package treescore

import (
	"fstore/index"
)

// Votes returns the votes of the candidates of a list. If all scores are above 0, the scores are the votes.
// Else each candidate has one vote.
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

// Vote returns the index of the dependency tree whose arcs have the most votes, or -1 in an empty list. Among
// equal trees it takes the first. An arc has the votes of all trees with this arc, whatever its relation. All
// trees must have the same number of words.
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
