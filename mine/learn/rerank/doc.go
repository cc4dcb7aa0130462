// Package rerank learns to choose from K-best lists. Such a list contains the trees that a parser offers for
// a sentence, each with the parser's score, its base score (Collins & Duffy 2002; Qian & Liu 2015). A
// reranker adds its own score for the tree:
//
//	β · base score + score of the tree
//
// where β is found by cross-validation (tune.go). The score of the tree is linear in a sparse vector
// (perceptron.go, model.go), or is a weighted sum of kernels with training trees (kernel.go).
//
// The vectors of a list are stored together: a feature that several trees share is stored once
// (listvectors.go). They go to a scratch file if they exceed the memory budget (vectors.go).
//
// Start reading at lists.go.
package rerank
