package linear

import (
	"fstore/index"
)

// Options are how models are trained. The zero value of a field is its default.
type Options struct {
	// C is the price of a sample's loss, before ClassWeight; 0 is 1.
	C float64
	// ClassWeight multiplies C for the samples with a label, in the machine of that label;
	// a single machine has both of its labels.
	ClassWeight map[string]float64
	// Tolerance is the relative duality gap that is left (Fit.Gap); 0 is
	// DefaultTolerance, and of learners with ½‖w‖² SquaresTolerance, or HingeTolerance.
	Tolerance float64
	// Loss is that of l2-svm; "" is SquaredHinge.
	Loss Loss
	// MaxIterations ends a solver that does not converge; 0 is DefaultMaxIterations.
	MaxIterations int
	// Epochs is how often a perceptron sees all samples; 0 is DefaultEpochs.
	Epochs int
	// Seed makes the orders in which samples and features are visited.
	Seed uint64
	// Positive is the label that one machine tells from all others; "": a machine for each
	// label, where there are more than two.
	Positive string

	Workers  int // 0 is one a processor
	Progress index.Progress

	freeBias bool // the bias is no part of ‖w‖₁
	byGain   bool // a solver of ‖w‖₁ may end before Tolerance, see leastStep
}

// Loss names a loss of l2-svm.
type Loss string

// The losses max(0, 1−m)² and max(0, 1−m) of a margin m.
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

// tolerance is the default of a learner.
func (o *Options) tolerance(l Learner) float64 {
	switch {
	case o.Loss == Hinge:
		return HingeTolerance
	case l.squares:
		return SquaresTolerance
	}
	return DefaultTolerance
}

func (o *Options) setDefaults() {
	if o.C == 0 {
		o.C = 1
	}
	if o.MaxIterations == 0 {
		o.MaxIterations = DefaultMaxIterations
	}
	if o.Epochs == 0 {
		o.Epochs = DefaultEpochs
	}
	o.Workers = index.Workers(o.Workers)
	if o.Progress == nil {
		o.Progress = index.NoProgress{}
	}
	o.Progress = index.OneAtATime(o.Progress)
}
