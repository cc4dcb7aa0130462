// Package linear trains linear models over sparse vectors in memory, one-versus-rest
// where there are more than two labels, and says how good they are by cross-validation.
//
// Learners are one line each of the registry in learner.go: the averaged perceptron
// (Collins 2002), L1-regularised L2-loss support vector machines and logistic regression
// by Newton steps (Yuan, Ho & Lin 2012), L2-regularised logistic regression by a truncated
// Newton method (Lin, Weng & Keerthi 2008), and L2-regularised support vector machines by
// dual coordinate descent (Hsieh et al. 2008). The objectives are those of LIBLINEAR (Fan et
// al. 2008), solvers 5, 6, 0, whose dual is 7, 1 and 3: a bias is a feature like others,
// regularised. A solver ends at a duality gap, or where it gains nothing any more, and says
// what the gap is. Equal columns are merged before (merge.go).
//
// It imports package mine's measures and classes, and nothing of a store: a [Matrix] is
// filled by whoever has vectors. Where to start reading: matrix.go, then learner.go and
// train.go, then a solver.
//
// Nothing depends on the number of workers: machines are trained side by side, each by
// one goroutine, and every sum is in ascending order.
package linear
