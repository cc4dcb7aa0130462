package svm

import (
	"cmp"
	"context"

	"fstore/index"
	"fstore/store"
)

// Options say how machines are trained. A field that is zero takes its default.
type Options struct {
	Kernel
	// C is the price of a violated margin for samples of both signs, before ClassWeight; 0 stands for 1.
	C float64
	// ClassWeight multiplies C for the samples with a label, in the machine of that label. A single machine
	// uses the weights of both of its labels.
	ClassWeight map[string]float64
	// Epsilon is the largest violation of the optimality conditions at which the solver stops; 0 stands for
	// DefaultEpsilon.
	Epsilon float64
	// Positive is the label that one machine tells from all others. If it is "", each label has a machine,
	// unless there are only two.
	Positive string

	// Epochs is how often the perceptron sees all samples; 0 stands for 1 (as in Collins & Duffy). Seed
	// determines the order of the samples; 0 stands for the order of the store.
	Epochs int
	Seed   uint64

	Workers  int   // 0: one for each processor
	Memory   int64 // how many bytes of kernel rows are kept; 0 is 1 GiB
	Progress index.Progress
}

// DefaultEpsilon is the default of Options.Epsilon, the same as in SVM-Light and LIBSVM.
const DefaultEpsilon = 1e-3

func (o *Options) setDefaults() {
	o.C = cmp.Or(o.C, 1)
	o.Epsilon = cmp.Or(o.Epsilon, DefaultEpsilon)
	o.Epochs = cmp.Or(o.Epochs, 1)
	o.Workers = index.Workers(o.Workers)
	if o.Memory <= 0 {
		o.Memory = 1 << 30
	}
	o.Progress = cmp.Or[index.Progress](o.Progress, index.NoProgress{})
}

// Report says how training went.
type Report struct {
	Samples, Unlabelled uint32
	Machines            []MachineReport // in the order of Model.Machines
}

// MachineReport says how the training of one machine went.
type MachineReport struct {
	Label   string
	Support int // the number of the machine's vectors
	// Primal and Dual are the objectives of a support vector machine. The objective of the solution differs
	// from the optimum by at most Primal − Dual.
	Primal, Dual float64
	Iterations   int
	// Mistakes is the number of mistakes of a perceptron, which is the number of its steps.
	Mistakes int
}

// Train trains a soft-margin support vector machine on the labelled samples of a store. More than two labels
// get a machine each, one-versus-rest.
func Train(ctx context.Context, st *store.Store, o Options) (*Model, *Report, error) {
	h, err := NewHoldOut(ctx, st, o)
	if err != nil {
		return nil, nil, err
	}
	return h.model(ctx, nil)
}

// TrainPerceptron trains a voted perceptron on the labelled samples of a store. More than two labels get a
// machine each, one-versus-rest. The weights in the model are those of the mean machine.
func TrainPerceptron(ctx context.Context, st *store.Store, o Options) (*Model, *Report, error) {
	h, err := NewHoldOut(ctx, st, o)
	if err != nil {
		return nil, nil, err
	}
	t := h.newTraining()
	return t.end(h.each(ctx, func(ctx context.Context, k int, y []float64) error {
		p := &perceptron{rows: h.rows, y: y, epochs: h.o.Epochs, order: shuffled(len(y), h.o.Seed)}
		steps, err := p.run(ctx)
		t.weights[k] = average(steps, len(y))
		t.machines[k], t.report.Machines[k].Mistakes = Machine{Steps: steps}, len(steps)
		return err
	}))
}

// training collects the trained machines. Each goroutine trains one machine and sets the elements of that
// machine.
type training struct {
	h        *HoldOut
	weights  [][]float64 // by machine and sample
	machines []Machine
	report   *Report
}

func (h *HoldOut) newTraining() *training {
	return &training{
		h: h, weights: make([][]float64, h.n), machines: make([]Machine, h.n),
		report: &Report{Samples: uint32(len(h.s.id)), Unlabelled: h.s.rest, Machines: make([]MachineReport, h.n)},
	}
}

// end returns the model and the report, or the error if training has failed.
func (t *training) end(err error) (*Model, *Report, error) {
	if err != nil {
		return nil, nil, err
	}
	m, err := t.h.s.model(t.h.st, t.h.labels, t.weights, t.machines)
	if err != nil {
		return nil, nil, err
	}
	for k := range t.report.Machines {
		t.report.Machines[k].Label, t.report.Machines[k].Support = t.h.labels[k], m.support(k)
	}
	return m, t.report, nil
}
