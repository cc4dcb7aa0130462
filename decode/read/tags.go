package read

import (
	"fstore/index"
	"fstore/index/treescore"
)

// Tagger gives the trees of lists the same tags. It keeps its memory.
type Tagger struct {
	scores []float64
	words  []index.Token
	votes  []vote
}

// vote is the votes that a value has.
type vote struct {
	value uint32
	votes float64
}

// columnsOf are the columns that a tagger sets.
func columnsOf(t *index.Token) [4]*uint32 {
	return [4]*uint32{&t.Lemma, &t.UPOS, &t.XPOS, &t.Feats}
}

// Majority returns words with the tags of most candidates, of which there is one at
// least, and all have the same words; heads and relations are the first's. They
// are valid until the next call.
func (g *Tagger) Majority(candidates []*index.Tree) []index.Token {
	g.scores = g.scores[:0]
	for _, t := range candidates {
		g.scores = append(g.scores, t.Score)
	}
	votes := treescore.Votes(g.scores)
	g.words = append(g.words[:0], candidates[0].Tokens...)
	for w := range g.words {
		for c, to := range columnsOf(&g.words[w]) {
			g.votes = g.votes[:0]
			for i, t := range candidates {
				g.count(*columnsOf(&t.Tokens[w])[c], votes[i])
			}
			best := g.votes[0]
			for _, v := range g.votes[1:] {
				if v.votes > best.votes {
					best = v
				}
			}
			*to = best.value
		}
	}
	return g.words
}

// count adds to the votes of a value.
func (g *Tagger) count(value uint32, votes float64) {
	for i := range g.votes {
		if g.votes[i].value == value {
			g.votes[i].votes += votes
			return
		}
	}
	g.votes = append(g.votes, vote{value, votes})
}

// Apply gives a tree the tags of tokens.
func Apply(t *index.Tree, tokens []index.Token) {
	for w := range t.Tokens {
		from := columnsOf(&tokens[w])
		for c, to := range columnsOf(&t.Tokens[w]) {
			*to = *from[c]
		}
	}
}
