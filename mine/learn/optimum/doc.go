// Package optimum trains L1-regularised linear models over all fragments of a space, stored or not, and
// proves how close they are to the least objective.
//
// A feature says whether a sample has a fragment. Most fragments have weight 0, so a model is trained over
// few columns, the working set. Then a pass over the space adds up the dual variables of each fragment's
// samples. If all sums are from −1 to 1, the optimum of the working set is that of the whole space.
// Otherwise, fragments with other sums join the working set (column generation, as in Kudo, Maeda & Matsumoto
// 2004). A pass skips branches in which all sums must be from −1 to 1 (mine/README.md, "Bounds"). Columns
// that must have weight 0 at the optimum are left out (safe screening and pruning, Nakagawa, Suzumura,
// Karasuyama, Tsuda & Takeuchi 2016).
//
// The price C rises along a path, which starts at a price for which no fragment has a weight. Training at
// each price starts from the weights of the price before.
//
// The package uses package judge for growth, and the solvers of package linear. Start reading at path.go,
// then machine.go and pass.go.
package optimum
