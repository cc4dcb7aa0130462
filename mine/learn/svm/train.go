package svm

import (
	"cmp"
	"context"

	"fstore/index"
	"fstore/store"
)

// Options are how machines are trained. The zero value of a field is its default.
type Options struct {
	Kernel
	// C is the price of a violated margin, of both signs, before ClassWeight; 0 is 1.
	C float64
	// ClassWeight multiplies C for the samples with a label, in the machine of that label;
	// a single machine has both of its labels.
	ClassWeight map[string]float64
	// Epsilon is the largest violation of the optimality conditions that is left; 0 is
	// DefaultEpsilon.
	Epsilon float64
	// Positive is the label that one machine tells from all others; "": a machine for each
	// label, where there are more than two.
	Positive string

	// Epochs and Seed are of the perceptron: how often it sees all samples, 0 is 1 time
	// (as Collins & Duffy do), and in which order, 0 is that of the store.
	Epochs int
	Seed   uint64

	Workers  int   // 0 is one a processor
	Memory   int64 // bytes of kernel rows kept; 0 is 1 GiB
	Progress index.Progress
}

// DefaultEpsilon is the default of Options.Epsilon, that of SVM-Light and LIBSVM.
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
	Machines            []MachineReport // as Model.Machines
}

// MachineReport is of one machine.
type MachineReport struct {
	Label   string
	Support int // its vectors
	// Of a support vector machine: the objectives of primal and dual, whose difference
	// bounds what the solution lacks.
	Primal, Dual float64
	Iterations   int
	// Of a perceptron: its mistakes, which are its steps.
	Mistakes int
}

// Train trains a soft-margin support vector machine on the labelled samples of a store,
// one-versus-rest where there are more than two labels.
func Train(ctx context.Context, st *store.Store, o Options) (*Model, *Report, error) {
	h, err := NewHoldOut(ctx, st, o)
	if err != nil {
		return nil, nil, err
	}
	return h.model(ctx, nil)
}

// TrainPerceptron trains a voted perceptron on the labelled samples of a store,
// one-versus-rest where there are more than two labels. The weights of the model are
// those of the average.
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

// training collects the machines. Each is found by a goroutine of its own, which sets its elements.
type training struct {
	h        *HoldOut
	weights  [][]float64 // of each machine, by sample
	machines []Machine
	report   *Report
}

func (h *HoldOut) newTraining() *training {
	return &training{
		h: h, weights: make([][]float64, h.n), machines: make([]Machine, h.n),
		report: &Report{Samples: uint32(len(h.s.id)), Unlabelled: h.s.rest, Machines: make([]MachineReport, h.n)},
	}
}

// end makes the model, unless training has failed.
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
