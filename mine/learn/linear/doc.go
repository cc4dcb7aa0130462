// Package linear trains linear models over sparse vectors in memory, and estimates by cross-validation how
// good they are. More than two labels get a machine each, one-versus-rest.
//
// The learners are registered in learner.go: the averaged perceptron (Collins 2002), L1-regularised L2-loss
// support vector machines and logistic regression by Newton steps (Yuan, Ho & Lin 2012), L2-regularised
// logistic regression by a truncated Newton method (Lin, Weng & Keerthi 2008), and L2-regularised support
// vector machines by dual coordinate descent (Hsieh et al. 2008). Their objectives are those of LIBLINEAR
// (Fan et al. 2008), solvers 5, 6, 0 (whose dual is 7), 1 and 3. As in LIBLINEAR, the bias is regularised
// like the other features. A solver ends at a given duality gap, or when no step lowers its objective any
// more. It reports its gap. Equal columns are merged before training (merge.go).
//
// The package imports no store: the caller fills a [Matrix] with vectors. Where to start reading: matrix.go,
// then learner.go and train.go, then a solver.
//
// No result depends on the number of workers: machines are trained in parallel, but each by one goroutine,
// and every sum is made in ascending order.
package linear
