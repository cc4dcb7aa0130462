// Package optimum trains L1-regularised linear models over all fragments of a space, stored
// or not, and proves how close to the least objective they are.
//
// The features are binary: whether a sample has the fragment. Most fragments have weight 0,
// so that a model is found over few columns, the working set. A pass over the space then
// sums the dual over the samples of each fragment: where no sum is beyond 1 either way, the
// working set's optimum is that of the whole space; else the fragments whose sums are join
// it (column generation, as in Kudo, Maeda & Matsumoto 2004). Branches below which no sum
// can be beyond 1 are cut, on the bounds of mine/README.md, and the ball around the dual
// point that the optimum lies in says which columns can be left out (safe screening and
// pruning, Nakagawa, Suzumura, Karasuyama, Tsuda & Takeuchi 2016).
//
// Prices C rise along a path from where nothing has a weight; each begins with the weights
// of the one before.
//
// It grows fragments by package judge, and imports the solvers of package linear. Start
// reading at path.go, then machine.go and pass.go.
package optimum
