package svm

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"fstore/index"
	"fstore/mine/learn/classes"
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
	if o.C == 0 {
		o.C = 1
	}
	if o.Epsilon == 0 {
		o.Epsilon = DefaultEpsilon
	}
	if o.Epochs == 0 {
		o.Epochs = 1
	}
	o.Workers = index.Workers(o.Workers)
	if o.Memory <= 0 {
		o.Memory = 1 << 30
	}
	if o.Progress == nil {
		o.Progress = index.NoProgress{}
	}
}

// Report says how training went.
type Report struct {
	C                   float64 // Options.C
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
	o.setDefaults()
	return train(ctx, st, o, func(ctx context.Context, s *samples, r *rows, labels []string, k int, weights []float64) (Machine, MachineReport, error) {
		y := classes.Signs(s.labels, labels[k])
		p := &problem{rows: r, y: y, c: classes.Prices(y, labels, k, o.C, o.ClassWeight), epsilon: o.Epsilon}
		found, err := p.solve(ctx)
		if err != nil {
			return Machine{}, MachineReport{}, err
		}
		copy(weights, found.weights(y))
		return Machine{Bias: found.bias}, MachineReport{
			Primal: found.primal, Dual: found.dual, Iterations: found.iterations,
		}, nil
	})
}

// TrainPerceptron trains a voted perceptron on the labelled samples of a store,
// one-versus-rest where there are more than two labels. The weights of the model are
// those of the average.
func TrainPerceptron(ctx context.Context, st *store.Store, o Options) (*Model, *Report, error) {
	o.setDefaults()
	return train(ctx, st, o, func(ctx context.Context, s *samples, r *rows, labels []string, k int, weights []float64) (Machine, MachineReport, error) {
		p := &perceptron{rows: r, y: classes.Signs(s.labels, labels[k]), epochs: o.Epochs, order: shuffled(len(s.id), o.Seed)}
		steps, err := p.run(ctx)
		if err != nil {
			return Machine{}, MachineReport{}, err
		}
		average(steps, weights)
		return Machine{Steps: steps}, MachineReport{Mistakes: len(steps)}, nil
	})
}

// learner finds machine k, and sets the weights of its samples.
type learner func(ctx context.Context, s *samples, r *rows, labels []string, k int, weights []float64) (Machine, MachineReport, error)

// train runs a learner for each machine, several at a time: they share the rows. No
// default is left open in o.
func train(ctx context.Context, st *store.Store, o Options, learn learner) (*Model, *Report, error) {
	s, err := readSamples(ctx, st, o.Kernel, o.Workers, o.Progress)
	if err != nil {
		return nil, nil, err
	}
	labels, n, err := classes.Plan(classes.Names(s.labels), o.Positive)
	if err != nil {
		return nil, nil, err
	}
	r := newRows(s.trees, o.Workers, o.Memory)
	report := &Report{C: o.C, Samples: uint32(len(s.id)), Unlabelled: s.rest, Machines: make([]MachineReport, n)}
	machines := make([]Machine, n)
	weights := make([][]float64, n)
	o.Progress.Step("train", "kernel rows", 0)
	r.progress = o.Progress
	pool, poolCtx := errgroup.WithContext(ctx)
	pool.SetLimit(min(o.Workers, max(r.most/leastRows, 1)))
	for k := range n {
		if poolCtx.Err() != nil {
			break
		}
		weights[k] = make([]float64, len(s.id))
		pool.Go(func() (err error) {
			machines[k], report.Machines[k], err = learn(poolCtx, s, r, labels, k, weights[k])
			report.Machines[k].Label = labels[k]
			return err
		})
	}
	if err := errors.Join(pool.Wait(), ctx.Err()); err != nil {
		return nil, nil, err
	}
	m, err := s.model(st, labels, weights, machines)
	if err != nil {
		return nil, nil, err
	}
	for k := range n {
		report.Machines[k].Support = m.Support(k)
	}
	return m, report, nil
}
