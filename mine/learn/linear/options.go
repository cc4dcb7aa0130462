package linear

import (
	"cmp"

	"fstore/index"
)

// Options say how models are trained. A field that is zero takes its default.
type Options struct {
	// C is the price of a sample's loss, before ClassWeight; 0 stands for 1.
	C float64
	// ClassWeight multiplies C for the samples with a label, in the machine of that label. A single machine
	// uses the weights of both of its labels.
	ClassWeight map[string]float64
	// Tolerance is the relative duality gap (Fit.Gap) at which a solver stops. 0 stands for the default of
	// the learner and its loss.
	Tolerance float64
	// Loss is the loss of the learner l2-svm; "" stands for SquaredHinge.
	Loss Loss
	// MaxIterations ends a solver that does not converge; 0 stands for DefaultMaxIterations.
	MaxIterations int
	// Epochs is how often a perceptron sees all samples; 0 stands for DefaultEpochs.
	Epochs int
	// Seed determines the random orders in which samples and features are visited.
	Seed uint64
	// Positive is the label that one machine tells from all others. If it is "", there is a machine for each
	// label, or a single one for two labels.
	Positive string

	Workers  int // 0: one for each processor
	Progress index.Progress

	freeBias bool // whether ‖w‖₁ leaves out the bias
	byGain   bool // whether a solver with ‖w‖₁ can end before Tolerance, see leastStep
}

// Loss is the name of a loss of the learner l2-svm.
type Loss string

// The losses are max(0, 1−m)² and max(0, 1−m), for a margin m.
const (
	SquaredHinge Loss = "squared-hinge"
	Hinge        Loss = "hinge"
)

// Defaults of Options.
const (
	DefaultTolerance     = 5e-5
	SquaresTolerance     = 2e-6
	HingeTolerance       = 1e-5
	DefaultMaxIterations = 500
	DefaultEpochs        = 10
)

func (o *Options) setDefaults() {
	o.C = cmp.Or(o.C, 1)
	o.MaxIterations = cmp.Or(o.MaxIterations, DefaultMaxIterations)
	o.Epochs = cmp.Or(o.Epochs, DefaultEpochs)
	o.Workers = index.Workers(o.Workers)
	o.Progress = index.OneAtATime(cmp.Or[index.Progress](o.Progress, index.NoProgress{}))
}
