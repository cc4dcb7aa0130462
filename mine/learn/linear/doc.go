// Package linear trains linear models over sparse vectors in memory, and estimates by cross-validation how
// good they are. More than two labels get a machine each, one-versus-rest.
//
// The objectives of all learners but the perceptron are those of LIBLINEAR (Fan et al. 2008), which
// regularises the bias too:
//
//	averaged-perceptron    Collins 2002
//	l1-svm, l1-logistic    solvers 5 and 6; Newton steps (Yuan, Ho & Lin 2012)
//	l2-logistic            solver 0, whose dual is 7; truncated Newton steps (Lin, Weng & Keerthi 2008)
//	l2-svm                 solvers 1 and 3; dual coordinate descent (Hsieh et al. 2008)
//
// A solver ends at a given duality gap, or when no step lowers its objective any more. Equal columns are
// merged before training (merge.go).
//
// The package imports no store: the caller fills a [Matrix] with vectors. Where to start reading: matrix.go,
// then learner.go and train.go, then a solver.
//
// Each machine is trained by one goroutine, which adds up every sum in ascending order. So no result depends
// on the number of workers.
package linear
