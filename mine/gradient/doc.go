// Package gradient selects fragments by the gradient of a structured objective: Algorithm
// 1 of Qian & Liu (2015), with the update of mine/README.md, "Gradient". For lists of candidates
// y of sentences x, of which one is gold, it lowers
//
//	C·‖w‖₁ + Σ max_y(w·f(x,y) + δ(gold,y)) − w·f(x,gold)
//
// where f says which fragments a candidate has, each once, and δ is 0 of a candidate with
// the gold structure, else 1. Each iteration finds the best candidates, and of the lists
// where they are wrong the fragments that more than C gold trees or more than C of the
// best candidates have; moves the weights along what these differ by; and keeps what has
// a weight.
//
// Candidates are samples; or, in classification, the labels that a sample could have: then
// features are fragments beside a label, and each label is a class of its own, with weights
// of its own (see [Problem]).
//
// Where to start reading: miner.go has the iterations, problem.go the objective, update.go
// the step over columns (column.go), set.go and stream.go what an iteration keeps and how that
// goes to disk (scratch.go). Fragments are found by an engine: packs.go for spaces that share
// what candidates have in common, trees.go for all others.
//
// It imports index and store's file system, and serves package mine.
package gradient
