// Package optimum trains L1-regularised linear models over all fragments of a space, stored or not, and
// proves how close they are to the least objective.
//
// The features are binary: whether a sample has the fragment. Most fragments have weight 0, so a model is
// trained over few columns, the working set. A pass over the space then computes, for each fragment, the sum
// of the dual variables of its samples. If all sums are from −1 to 1, the optimum of the working set is the
// optimum of the whole space. Else the fragments with other sums join the working set (column generation, as
// in Kudo, Maeda & Matsumoto 2004). A pass cuts off branches in which all sums must be from −1 to 1
// (mine/README.md, "Bounds"). The dual optimum is in a ball around the dual point. The ball shows which
// columns can be left out (safe screening and pruning, Nakagawa, Suzumura, Karasuyama, Tsuda & Takeuchi
// 2016).
//
// The price C rises along a path, which starts at a price for which no fragment has a weight. Training at
// each price starts from the weights of the price before.
//
// The package grows fragments by package judge, and imports the solvers of package linear. Start reading at
// path.go, then machine.go and pass.go.
package optimum
