package learn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"fstore/cli/command"
	"fstore/decode/linearize"
	"fstore/decode/predict"
	"fstore/index"
	"fstore/mine/learn/linear"
	"fstore/store"
)

// linearImported is the learner's name in models that import has made from weights.
const linearImported = "linear"

func (c *training) checkLinear() error {
	switch {
	case c.Kernel.Space != nil:
		return index.Usagef("--kernel: %s has no kernel: --space or --selection names its features", c.Learner)
	case !(c.Bias >= 0 && c.Bias <= command.Most):
		return errors.New("--bias: 0 or above")
	case len(c.C) > 0 && !c.learner.linear.Prices:
		return index.Usagef("-C: %s has no price", c.Learner)
	case c.Loss != "" && c.Learner != linear.L2SVM:
		return index.Usagef("--loss is of %s", linear.L2SVM)
	}
	return nil
}

func trainLinear(ctx context.Context, env *command.Env, c *training, w *store.Writer) (decided string, err error) {
	if c.Over == overAll {
		return trainOver(ctx, env, c, w)
	}
	learner := c.learner.linear
	l, err := c.linearizer(w.Store(), "")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	set, err := predict.NewTrainingSet(ctx, l, c.Bias, c.Workers, env.Progress)
	if err != nil {
		return "", err
	}
	o := linear.Options{
		C: c.price(), ClassWeight: c.weights, Loss: c.Loss, Epochs: command.Given(c.Epochs), Seed: c.Seed, Positive: c.Positive,
		Workers: c.Workers, Progress: env.Progress,
	}
	if c.FoldFlags.Given() {
		if err := c.validateLinear(ctx, env, w.Store(), set, &o); err != nil {
			return "", err
		}
	}
	m, r, err := linear.Train(ctx, learner, &set.Samples, o)
	if err != nil {
		return "", err
	}
	m.Vectors = predict.VectorsOf(l)
	settings := map[string]string{"seed": fmt.Sprint(c.Seed), "bias": fmt.Sprint(c.Bias)}
	if learner.Prices {
		settings["c"] = fmt.Sprint(o.C)
	}
	if c.Learner == linear.L2SVM {
		settings["loss"] = string(cmp.Or(c.Loss, linear.SquaredHinge))
	}
	if err := predict.PutLinearModel(w, c.Name, c.Learner, m, l, settings); err != nil {
		return "", err
	}
	return c.sayLinear(env, m, set, r, o.C), nil
}

func (c *training) sayLinear(env *command.Env, m *linear.Model, set *predict.TrainingSet, r *linear.Report, price float64) string {
	machine := func(x *linear.MachineReport) string {
		text := index.Plural(x.NonZero, "feature") + " of " + index.Thousands(m.Features)
		if !c.learner.linear.Prices {
			return fmt.Sprintf("%s, %s in the last of %s", text, index.Plural(x.Mistakes, "mistake"), index.Plural(x.Iterations, "epoch"))
		}
		text += fmt.Sprintf(", objective %.7g, duality gap %.2g %%, %s", x.Objective, 100*math.Max(x.Gap(), 0), index.Plural(x.Iterations, "iteration"))
		if !x.Converged {
			text += ": not converged"
		}
		return text
	}
	line := fmt.Sprintf("model %s: %s", c.Name, c.Learner)
	if c.learner.linear.Prices {
		line += fmt.Sprintf(", C %g", price)
	}
	line += ", " + vectorsText(m) + ", " + samplesText(len(set.Labels), set.Unlabelled)
	if len(r.Machines) == 1 {
		return line + ": " + machine(&r.Machines[0])
	}
	for i := range r.Machines {
		env.Note("%s: %s", r.Machines[i].Label, machine(&r.Machines[i]))
	}
	return line + ": " + index.Plural(len(r.Machines), "machine")
}

func vectorsText(m *linear.Model) string {
	v := &m.Vectors
	text := "space " + v.Space
	if v.Selection != "" {
		text = "selection " + v.Selection
	}
	text += ", weight " + v.Weight
	if v.Normalize != string(linearize.NormalizeNone) {
		text += ", normalize " + v.Normalize
	}
	if usesLambda(v.Weight, v.Normalize) {
		text += fmt.Sprintf(", lambda %g", v.Lambda)
	}
	return text
}

// validateLinear cross-validates, prints the measures, and sets o.C to the value with the best result.
func (c *training) validateLinear(ctx context.Context, env *command.Env, s *store.Store, set *predict.TrainingSet, o *linear.Options) error {
	folds, err := c.deal(ctx, c.Seed, set.Names, set.Documents, set.Labels)
	if err != nil {
		return err
	}
	selection, err := c.foldSelection(env, s.Meta(), folds)
	if err != nil {
		return err
	}
	var of func(fold int) (*linear.Samples, error)
	if selection != nil {
		of = func(fold int) (*linear.Samples, error) { return c.foldSamples(ctx, s, selection(fold)) }
	}
	learner, prices := c.learner.linear, []float64{o.C}
	if learner.Prices {
		prices = c.prices()
	}
	trials, err := linear.CrossValidate(ctx, learner, &set.Samples, of, folds, prices, *o)
	env.Progress.Close()
	if err != nil {
		return err
	}
	o.C = c.sayTrials(env, folds, trials, learner.Prices)
	return nil
}

func (c *training) foldSamples(ctx context.Context, s *store.Store, selection string) (samples *linear.Samples, err error) {
	l, err := c.linearizer(s, selection)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	// Folds are trained in parallel, so each has one worker.
	set, err := predict.NewTrainingSet(ctx, l, c.Bias, 1, index.NoProgress{})
	if err != nil {
		return nil, err
	}
	return &set.Samples, nil
}

func openLinearModel(_ context.Context, c *prediction, s *store.Store, info *store.ModelInfo) (predict.Readable, error) {
	if err := c.refuseDecision(info); err != nil {
		return nil, err
	}
	return predict.OpenLinearModel(s, info.Name)
}
