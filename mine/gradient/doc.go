// Package gradient selects fragments by the gradient of a structured objective: Algorithm 1 of Qian & Liu
// (2015), with the update of mine/README.md, "Gradient". The input is lists of candidates y for sentences x;
// one candidate of each list is gold. The algorithm lowers the objective
//
//	C·‖w‖₁ + Σ max_y(w·f(x,y) + δ(gold,y)) − w·f(x,gold)
//
// where f(x,y) says which fragments a candidate has, each counted once. δ is 0 for a candidate with the gold
// structure, else 1.
//
// Each iteration first finds the best candidate of each list, and takes the lists whose best candidate is
// wrong. The features of the iteration are:
//   - fragments that more than C gold trees of these lists have
//   - fragments that more than C best candidates of these lists have
//   - fragments that already have a weight
//
// The iteration then moves the weights along the differences between gold and best candidates. It keeps the
// features with a weight.
//
// In K-best lists, candidates are samples. In classification, a candidate is a label that a sample could
// have, and a feature is a fragment together with a label. Each label is a class with its own weights (see
// [Problem]).
//
// Where to start reading: miner.go has the iterations, and state.go what the miner keeps between them.
// problem.go has the objective, and update.go the step over columns (column.go). set.go and stream.go have
// the features that an iteration keeps, and scratch.go their files. An engine finds the fragments: packs.go
// for spaces with packed forests, trees.go for all others.
//
// The package imports index, store, grow and template. Package selection mines with it, and package optimum
// takes its Problem.
package gradient
