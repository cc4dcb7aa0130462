package svm

import (
	"cmp"
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"fstore/index"
	"fstore/mine/learn/classes"
	"fstore/mine/learn/crossval"
	"fstore/store"
)

// Options say how machines are trained. A field that is zero takes its default.
type Options struct {
	Config
	// C is the price of a violated margin, before ClassWeight; 0 stands for 1.
	C float64
	// ClassWeight multiplies C for the samples with a label, in the machine of that label. A single machine
	// uses the weights of both of its labels.
	ClassWeight map[string]float64
	// Epsilon is the largest violation of the optimality conditions at which the solver stops. 0 stands for
	// DefaultEpsilon.
	Epsilon float64
	// Positive is the label that one machine tells from all others. If it is "", there is a machine for each
	// label, or a single one for two labels.
	Positive string

	// Epochs is how often the perceptron sees all samples. 0 stands for 1, as in Collins & Duffy. Seed
	// determines the order of the samples. Seed 0 stands for the order of the store.
	Epochs int
	Seed   uint64

	Workers  int   // 0: one for each processor
	Memory   int64 // how many bytes of kernel rows stay in memory; 0 is 1 GiB
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
	// Primal and Dual are the objectives of a support vector machine. The optimum is between them.
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

// training collects the trained machines. The goroutine that trains machine i sets element i of each list.
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

// HoldOut predicts labelled samples of a store by support vector machines trained on the other samples.
// Training also computes the scores of the held-out samples, so a prediction evaluates no kernel.
type HoldOut struct {
	st     *store.Store
	o      Options
	s      *samples
	rows   *kernelRows
	labels []string
	n      int // the number of machines
}

// NewHoldOut prepares the labelled samples of a store. The error is an *index.UsageError if the store does
// not have two labels.
func NewHoldOut(ctx context.Context, st *store.Store, o Options) (*HoldOut, error) {
	o.setDefaults()
	h := &HoldOut{st: st, o: o}
	var err error
	if h.s, err = readSamples(ctx, st, o.Config, o.Workers, o.Progress); err != nil {
		return nil, err
	}
	if h.labels, h.n, err = classes.Plan(classes.Names(h.s.labels), o.Positive); err != nil {
		return nil, err
	}
	h.rows = newRows(h.s.trees, o.Workers, o.Memory)
	h.rows.progress = o.Progress
	return h, nil
}

// Gold returns the gold labels of each sample, see classes.Gold.
func (h *HoldOut) Gold() [][]string {
	gold := make([][]string, len(h.s.labels))
	for i, own := range h.s.labels {
		gold[i] = classes.Gold(h.labels, own)
	}
	return gold
}

// Predict returns labels for the held-out samples, from machines that were trained on all other samples with
// C = c. `heldOut` has indexes among the labelled samples of the store.
func (h *HoldOut) Predict(ctx context.Context, heldOut []int, c float64) ([]string, error) {
	scores, err := h.scores(ctx, heldOut, c)
	if err != nil {
		return nil, err
	}
	predicted := make([]string, len(heldOut))
	for i := range heldOut {
		predicted[i] = classes.Predict(h.labels, scores[i])
	}
	return predicted, nil
}

// scores returns the scores of the held-out samples by each machine, trained on the other samples.
func (h *HoldOut) scores(ctx context.Context, heldOut []int, c float64) ([][]float64, error) {
	scores := make([][]float64, len(heldOut))
	for i := range scores {
		scores[i] = make([]float64, h.n)
	}
	err := h.machines(ctx, heldOut, c, func(k int, p *problem, found *solution) {
		for i, t := range heldOut {
			scores[i][k] = p.score(t, found)
		}
	})
	return scores, err
}

// model trains the machines with C = Options.C on all samples that are not held out. `heldOut` has indexes
// among the labelled samples of the store.
func (h *HoldOut) model(ctx context.Context, heldOut []int) (*Model, *Report, error) {
	t := h.newTraining()
	err := h.machines(ctx, heldOut, h.o.C, func(k int, p *problem, found *solution) {
		t.weights[k], t.machines[k] = found.weights(p.y), Machine{Bias: found.bias}
		t.report.Machines[k] = MachineReport{Primal: found.primal, Dual: found.dual, Iterations: found.iterations}
	})
	return t.end(err)
}

// machines trains the machines with this C, without the held-out samples. Several goroutines call f.
func (h *HoldOut) machines(ctx context.Context, heldOut []int, c float64, f func(k int, p *problem, found *solution)) error {
	return h.each(ctx, func(ctx context.Context, k int, y []float64) error {
		p := &problem{rows: h.rows, y: y, c: classes.Prices(y, h.labels, k, c, h.o.ClassWeight), epsilon: h.o.Epsilon}
		for _, t := range heldOut {
			p.c[t] = 0
		}
		found, err := p.solve(ctx)
		if err == nil {
			f(k, p, found)
		}
		return err
	})
}

// each calls f for each machine, with the signs of the samples. Several calls run at the same time.
func (h *HoldOut) each(ctx context.Context, f func(ctx context.Context, k int, y []float64) error) error {
	h.o.Progress.Step("train", "kernel rows", 0)
	pool, ctx := errgroup.WithContext(ctx)
	pool.SetLimit(min(h.o.Workers, max(h.rows.most/leastRows, 1)))
	for k := range h.n {
		pool.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return f(ctx, k, classes.Signs(h.s.labels, h.labels[k]))
		})
	}
	return pool.Wait()
}

// CrossValidate predicts each fold of the labelled samples of a store by support vector machines trained on
// the other folds. It returns a trial for each of the prices, in order. If openFragments is not nil, it opens
// kernel fragments that were chosen without the fold. With fewer than two labels, the error is an
// *index.UsageError.
func CrossValidate(ctx context.Context, st *store.Store, folds crossval.Folds, openFragments func(fold int) (index.Automaton, error), prices []float64, o Options) ([]crossval.Trial, error) {
	trials := make([]crossval.Trial, len(prices))
	var h *HoldOut
	for fold := range folds.Count() {
		var err error
		if openFragments != nil {
			if o.Fragments, err = openFragments(fold); err != nil {
				return nil, err
			}
		}
		if h == nil || openFragments != nil {
			if h, err = NewHoldOut(ctx, st, o); err != nil {
				return nil, err
			}
		}
		gold := h.Gold()
		if len(folds) != len(gold) || folds.Count() < 2 {
			return nil, errors.New("cross-validation needs a fold for each sample, and two folds")
		}
		_, heldOut := folds.Split(fold)
		for i, c := range prices {
			predicted, err := h.Predict(ctx, heldOut, c)
			if err != nil {
				return nil, err
			}
			trials[i].C = c
			for n, sample := range heldOut {
				trials[i].Outcomes.Add(predicted[n], gold[sample])
			}
		}
	}
	return trials, nil
}
