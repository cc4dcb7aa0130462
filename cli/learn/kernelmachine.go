package learn

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"

	"fstore/cli/command"
	"fstore/decode/predict"
	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/learn/crossval"
	"fstore/mine/learn/svm"
	"fstore/mine/query"
	"fstore/store"
)

func (c *training) checkKernel() error {
	switch {
	case c.linearFlags != linearFlags{featureFlags: featureFlags{Selection: c.Selection, weightFlag: weightFlag{"binary"}}, Bias: 1}:
		return index.Usagef("--learner %s: --space, --weight and --bias are of linear models", c.Learner)
	case c.FoldFlags.Given() && c.Learner != svm.LearnerSVM:
		return index.Usagef("--learner %s is not cross-validated", c.Learner)
	case c.Normalize == "l2":
		return index.Usagef("--normalize l2 is of linear models")
	}
	if c.Kernel.Space == nil {
		return nil
	}
	if c.Kernel.MinSupport != nil || c.Kernel.MaxOrder != nil || c.Kernel.Closed != nil {
		return index.Usagef("--kernel: a kernel is of all fragments of its space: min-support, max-order and closed are for build")
	}
	return nil
}

// kernelOptions returns the options for package svm. If the kernel is over a selection, sel is this
// selection, else nil.
func (c *training) kernelOptions(env *command.Env, w *store.Writer, sel *query.Selection) (svm.Options, error) {
	m := w.Meta()
	id, stored := spaces.Default(m.Kind), m.SpaceIDs()
	if sel != nil {
		id = sel.Space.ID()
		stored = []string{id}
	}
	if c.Kernel.Space != nil {
		if id = c.Kernel.Arg; sel != nil && len(spaces.Named(id, stored)) == 0 {
			return svm.Options{}, index.Usagef("--kernel %s: selection %s is of the space %s", id, sel.Info.Name, stored[0])
		}
	}
	// If exactly one space of the store has the name id, the kernel gets the options of that space.
	if named := spaces.Named(id, stored); len(named) == 1 {
		id = named[0]
	}
	r, err := spaces.Parse(id)
	if err != nil {
		return svm.Options{}, err
	}
	return svm.Options{
		Config: svm.Config{Space: r.Space, Lambda: c.Lambda, Normalize: c.Normalize != "none"},
		C:      c.price(), ClassWeight: c.weights, Epsilon: c.Epsilon, Positive: c.Positive,
		Epochs: command.Given(c.Epochs), Seed: c.Seed,
		Workers: c.Workers, Memory: int64(c.Memory), Progress: env.Progress,
	}, r.CheckKind(m.Kind)
}

// trainSVM trains a support vector machine. With --per-fold it also trains one on the samples outside each
// fold.
func trainSVM(ctx context.Context, env *command.Env, c *training, w *store.Writer) (string, error) {
	var each []int // number of support vectors outside of each fold
	decided, err := trainKernel(env, c, w, func(o svm.Options) (*svm.Model, *svm.Report, map[string]string, error) {
		var folds crossval.Options
		if c.FoldFlags.Given() {
			var err error
			if folds, err = c.DealLabelled(ctx, c.Seed, w.Store()); err != nil {
				return nil, nil, nil, err
			}
			if o.C, err = c.validateKernel(ctx, env, w.Store(), folds.Folds, o); err != nil {
				return nil, nil, nil, err
			}
		}
		settings := map[string]string{"c": fmt.Sprint(o.C), "epsilon": fmt.Sprint(c.Epsilon)}
		if c.PerFold {
			whole, vectors, err := svm.TrainPerFold(ctx, w, c.Name, o, folds, settings)
			if err != nil {
				return nil, nil, nil, err
			}
			each = vectors
			maps.Copy(settings, whole)
		}
		m, r, err := svm.Train(ctx, w.Store(), o)
		return m, r, settings, err
	}, func(r *svm.MachineReport) string {
		gap := r.Primal - r.Dual
		return fmt.Sprintf("%s, objective %.7g, duality gap %.2g (%.2g %%), %s",
			index.Plural(r.Support, "support vector"), r.Dual, gap, 100*gap/math.Max(math.Abs(r.Primal), math.SmallestNonzeroFloat64), index.Plural(r.Iterations, "iteration"))
	})
	if err == nil && each != nil {
		decided += OutsideEach(each)
	}
	return decided, err
}

// validateKernel cross-validates, prints the measures, and returns the value of C with the best result.
func (c *training) validateKernel(ctx context.Context, env *command.Env, s *store.Store, folds crossval.Folds, o svm.Options) (price float64, err error) {
	selection, err := c.foldSelection(env, s.Meta(), folds)
	if err != nil {
		return 0, err
	}
	var held []io.Closer
	defer func() {
		for _, x := range held {
			err = errors.Join(err, x.Close())
		}
	}()
	var fragments func(fold int) (index.Automaton, error)
	if selection != nil {
		fragments = func(fold int) (index.Automaton, error) {
			sel, err := query.OpenSelection(s, selection(fold))
			if err != nil {
				return nil, err
			}
			x, err := sel.OpenExpansion()
			if err != nil {
				return nil, err
			}
			held = append(held, x)
			return x, nil
		}
	}
	trials, err := svm.CrossValidate(ctx, s, folds, fragments, c.prices(), o)
	env.Progress.Close()
	if err != nil {
		return 0, err
	}
	return c.sayTrials(env, folds, trials, true), nil
}

func trainPerceptron(ctx context.Context, env *command.Env, c *training, w *store.Writer) (string, error) {
	return trainKernel(env, c, w, func(o svm.Options) (*svm.Model, *svm.Report, map[string]string, error) {
		m, r, err := svm.TrainPerceptron(ctx, w.Store(), o)
		return m, r, map[string]string{"epochs": fmt.Sprint(max(command.Given(c.Epochs), 1)), "seed": fmt.Sprint(c.Seed)}, err
	}, func(r *svm.MachineReport) string {
		return fmt.Sprintf("%s on %s", index.Plural(r.Mistakes, "mistake"), index.Plural(r.Support, "sample"))
	})
}

// trainKernel trains a model, puts it into the store, and returns the closing line. If the model has several
// machines, it prints a line for each.
func trainKernel(env *command.Env, c *training, w *store.Writer, train func(svm.Options) (*svm.Model, *svm.Report, map[string]string, error), machine func(*svm.MachineReport) string) (decided string, err error) {
	sel, err := c.selected(w.Store())
	if err != nil {
		return "", err
	}
	o, err := c.kernelOptions(env, w, sel)
	if err != nil {
		return "", err
	}
	if sel != nil {
		x, openErr := sel.OpenExpansion()
		if openErr != nil {
			return "", openErr
		}
		defer func() { err = errors.Join(err, x.Close()) }()
		o.Fragments = x
	}
	m, r, settings, err := train(o)
	if err != nil {
		return "", err
	}
	if err := putKernelModel(w, c.Name, c.Learner, m, sel, settings); err != nil {
		return "", err
	}
	if len(r.Machines) > 1 {
		for i := range r.Machines {
			env.Note("%s: %s", r.Machines[i].Label, machine(&r.Machines[i]))
		}
	}
	line := fmt.Sprintf("model %s: %s, kernel %s", c.Name, c.Learner, m.Space.ID())
	if sel != nil {
		line += " over selection " + sel.Info.Name
	}
	line += fmt.Sprintf(", lambda %g", m.Lambda)
	if m.Normalize {
		line += ", normalized"
	}
	line += ", " + samplesText(r.Samples, r.Unlabelled)
	if len(r.Machines) > 1 {
		return fmt.Sprintf("%s: %s, %s", line, index.Plural(len(r.Machines), "machine"), index.Plural(len(m.Vectors), "support vector")), nil
	}
	return line + ": " + machine(&r.Machines[0]), nil
}

// putKernelModel puts m into the store. If the model is over the fragments of a selection, sel is this
// selection, else nil.
func putKernelModel(w *store.Writer, name, learner string, m *svm.Model, sel *query.Selection, settings map[string]string) error {
	info := store.ModelInfo{Name: name, Learner: learner}
	if sel != nil {
		info.Selection, info.VocabularyHash = sel.Info.Name, sel.Info.VocabularyHash
	}
	return svm.PutKernelModel(w, info, m, settings)
}

func openKernelModel(ctx context.Context, c *prediction, s *store.Store, info *store.ModelInfo) (predict.Readable, error) {
	voted := info.Learner == svm.LearnerPerceptron && c.Decision != "averaged"
	if c.Decision != "" && info.Learner != svm.LearnerPerceptron {
		return nil, index.Usagef("--decision is for models of %s, and %s is one of %s", svm.LearnerPerceptron, info.Name, info.Learner)
	}
	return predict.OpenKernelModel(ctx, s, info.Name, voted, c.Why > 0, c.Workers)
}
