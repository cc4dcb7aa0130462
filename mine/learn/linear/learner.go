package linear

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Learner is a way to train a linear model.
type Learner struct {
	Name string
	// Prices says whether the learner minimises an objective with prices. Options.C, Options.ClassWeight and
	// Options.Tolerance are only for such learners. Options.Epochs is only for the others.
	Prices bool

	l1      *loss // the loss; nil if the regulariser is not ‖w‖₁
	squares bool  // whether the regulariser is ½‖w‖² (see merge)
	// fit solves a problem, starting from the weights w. If w is nil, all weights start at 0.
	fit func(ctx context.Context, p *problem, w []float64) ([]float64, Fit, error)
}

// OverAll says whether package optimum can use the learner. It can if the regulariser is ‖w‖₁.
func (l Learner) OverAll() bool { return l.l1 != nil }

// The names of those learners that have special options or uses.
const (
	AveragedPerceptron = "averaged-perceptron"
	L1SVM              = "l1-svm"
	L2SVM              = "l2-svm"
)

var learners = []Learner{
	{Name: AveragedPerceptron, fit: averagedPerceptron},
	{Name: L1SVM, Prices: true, l1: &squaredHinge, fit: l1(squaredHinge)},
	{Name: "l1-logistic", Prices: true, l1: &logistic, fit: l1(logistic)},
	{Name: "l2-logistic", Prices: true, squares: true, fit: l2(logistic)},
	{Name: L2SVM, Prices: true, squares: true, fit: l2SVM},
}

// Learners returns a copy of the registry.
func Learners() []Learner { return slices.Clone(learners) }

// ErrLearner says that no learner has the given name.
var ErrLearner = errors.New("no such learner")

// Lookup returns the learner with this name. If there is none, the error is ErrLearner.
func Lookup(name string) (Learner, error) {
	for _, l := range learners {
		if l.Name == name {
			return l, nil
		}
	}
	return Learner{}, fmt.Errorf("%w: %s", ErrLearner, name)
}
