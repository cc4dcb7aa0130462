// Package rerank learns to choose from K-best lists. A list has the trees that a parser offers for a
// sentence, each with the parser's score, the base score (Collins & Duffy 2002; Qian & Liu 2015). A reranker
// scores a tree by
//
//	β · base score + score of the tree
//
// where β is found by cross-validation (tune.go). The score of the tree is either linear in a sparse vector
// (perceptron.go, model.go), or a weighted sum of kernels with training trees (kernel.go).
//
// A list's vectors are stored together: a feature that trees share is stored once (listvectors.go). Beyond a
// memory budget they go to a scratch file (vectors.go).
//
// Start reading at lists.go.
package rerank
