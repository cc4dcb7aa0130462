// Package optimum trains L1-regularised linear models over all fragments of a space, stored or not, and
// proves how close they are to the least objective.
//
// The features are binary: whether a sample has the fragment. Most fragments have weight 0, so a model is
// trained over few columns, the working set. A pass over the space then sums the dual variables of the
// samples of each fragment. If no sum is beyond 1 either way, the working set's optimum is that of the whole
// space. Else the fragments with sums beyond 1 join the working set (column generation, as in Kudo, Maeda &
// Matsumoto 2004). A pass cuts branches below which no sum can be beyond 1 (mine/README.md, "Bounds"). A ball
// around the dual point that contains the optimum says which columns can be left out (safe screening and
// pruning, Nakagawa, Suzumura, Karasuyama, Tsuda & Takeuchi 2016).
//
// The price C rises along a path from where no fragment has a weight. Training at each price starts from the
// weights of the price before.
//
// The package grows fragments by package judge, and imports the solvers of package linear. Start reading at
// path.go, then machine.go and pass.go.
package optimum
