// Package rerank learns to choose from K-best lists: the trees that a parser offers for a
// sentence, each with a score (Collins & Duffy 2002; Qian & Liu 2015). A reranker adds a
// score of its own:
//
//	β · base score + score of the tree
//
// where β is found by cross-validation (tune.go). The tree's score is linear in sparse
// vectors (perceptron.go, model.go), or by kernels with trees that were learned from
// (kernel.go).
//
// Vectors of the trees of a list share what the trees share (listvectors.go), and go to a scratch
// file beyond a budget (vectors.go).
//
// Start reading at lists.go.
package rerank
