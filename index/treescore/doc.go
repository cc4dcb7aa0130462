// Package treescore says how well predicted trees agree with gold ones: attachment scores
// of dependency trees, as the scorers of CoNLL-X (Buchholz & Marsi 2006) and of the CoNLL
// 2018 shared task have them, and labelled brackets of constituency trees (PARSEVAL,
// Black et al. 1991), as evalb has them. A K-best list has an oracle, and a vote.
//
// Start reading at counts.go, scorer.go.
package treescore
