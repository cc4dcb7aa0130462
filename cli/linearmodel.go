package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"fstore/cli/usage"
	"fstore/decode"
	"fstore/index"
	"fstore/mine"
	"fstore/mine/crossval"
	"fstore/mine/linear"
	"fstore/store"
)

// linearImported is the learner of models whose weights come from another program.
const linearImported = "linear"

// linearFlags are those of linear models alone.
type linearFlags struct {
	featureFlags `embed:""`

	Bias     float64 `default:"1" help:"The value of one more feature that each sample has; 0 is no bias."`
	CV       int     `name:"cv" xor:"folds" placeholder:"K" help:"Cross-validate in K folds, and choose C (of -C, or else of 0.01 to 100)."`
	Folds    string  `xor:"folds" predictor:"file" placeholder:"FILE" help:"Cross-validate in the folds that FILE names: a sample's name, a tab, a number."`
	Group    string  `enum:",document" default:"" placeholder:"document" help:"With --cv: keep the samples of a document in one fold."`
	Stratify bool    `help:"With --cv: give each fold its share of each label."`
}

// defaultPrices are those that --cv chooses from.
var defaultPrices = []float64{0.01, 0.1, 1, 10, 100}

// checkLinear checks the flags of linear models.
func (c *trainCommand) checkLinear() error {
	l, err := linear.Lookup(c.Learner)
	if err != nil {
		return err
	}
	switch {
	case c.Kernel.Space != nil:
		return usage.Errorf("--kernel: %s has no kernel: --space or --selection names its features", c.Learner)
	case !(c.Bias >= 0 && c.Bias <= most):
		return errors.New("--bias: 0 or above")
	case c.CV < 0 || c.CV == 1:
		return errors.New("--cv: at least 2 folds")
	case c.CV == 0 && (c.Group != "" || c.Stratify):
		return usage.Errorf("--group and --stratify need --cv")
	case c.Group != "" && c.Stratify:
		return usage.Errorf("--group and --stratify: one of them")
	case len(c.C) > 1 && !c.validates():
		return usage.Errorf("-C: several prices need --cv or --folds, to choose by")
	case len(c.C) > 0 && !l.Prices:
		return usage.Errorf("-C: %s has no price", c.Learner)
	}
	return nil
}

// validates says whether cross-validation is asked for.
func (f *linearFlags) validates() bool { return f.CV > 0 || f.Folds != "" }

// trainLinear trains a linear model.
func trainLinear(ctx context.Context, env *Env, c *trainCommand, w *store.Writer) (decided string, err error) {
	learner, err := linear.Lookup(c.Learner)
	if err != nil {
		return "", err
	}
	l, err := c.featureFlags.open(w.Store(), decode.LinearizerOptions{Normalize: decode.Normalize(c.Normalize), Lambda: c.Lambda})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	set, err := decode.NewTrainingSet(ctx, l, c.Bias, c.Workers, env.Progress)
	if err != nil {
		return "", err
	}
	o := linear.Options{
		C: c.price(), ClassWeight: c.weights, Epochs: c.Epochs, Seed: c.Seed, Positive: c.Positive,
		Workers: c.Workers, Progress: env.Progress,
	}
	if sel := w.Meta().Selection(c.Selection); c.validates() && sel != nil && mine.SawLabels(sel) {
		env.Warn("selection %s was mined by %s on all samples, held-out ones too: the measures of cross-validation are too good", sel.Name, sel.By)
	}
	if err := c.validate(ctx, env, learner, set, &o); err != nil {
		return "", err
	}
	m, r, err := linear.Train(ctx, learner, &set.Samples, o)
	if err != nil {
		return "", err
	}
	m.Vectors = decode.VectorsOf(l)
	settings := map[string]string{"seed": fmt.Sprint(c.Seed), "bias": fmt.Sprint(c.Bias)}
	if learner.Prices {
		settings["c"] = fmt.Sprint(o.C)
	}
	if err := decode.PutLinearModel(w, c.Name, c.Learner, m, l, settings); err != nil {
		return "", err
	}
	return c.sayLinear(env, learner, m, set, r, o.C), nil
}

// sayLinear says how training went.
func (c *trainCommand) sayLinear(env *Env, learner linear.Learner, m *linear.Model, set *decode.TrainingSet, r *linear.Report, price float64) string {
	machine := func(x *linear.MachineReport) string {
		text := plural(x.NonZero, "feature") + " of " + index.Thousands(m.Features)
		if !learner.Prices {
			return fmt.Sprintf("%s, %s in the last of %s", text, plural(x.Mistakes, "mistake"), plural(x.Iterations, "epoch"))
		}
		text += fmt.Sprintf(", objective %.7g, duality gap %.2g %%, %s", x.Objective, 100*math.Max(x.Gap(), 0), plural(x.Iterations, "iteration"))
		if !x.Converged {
			text += ": not converged"
		}
		return text
	}
	line := fmt.Sprintf("model %s: %s", c.Name, c.Learner)
	if learner.Prices {
		line += fmt.Sprintf(", C %g", price)
	}
	line += ", " + vectorsText(m) + ", " + plural(len(set.Labels), "sample")
	if set.Unlabelled > 0 {
		line += fmt.Sprintf(" (%s without a label left out)", index.Thousands(set.Unlabelled))
	}
	if len(r.Machines) == 1 {
		return line + ": " + machine(&r.Machines[0])
	}
	for i := range r.Machines {
		env.Note("%s: %s", r.Machines[i].Label, machine(&r.Machines[i]))
	}
	return line + ": " + plural(len(r.Machines), "machine")
}

// vectorsText says what a model's vectors are.
func vectorsText(m *linear.Model) string {
	text := "space " + m.Vectors.Space
	if m.Vectors.Selection != "" {
		text = "selection " + m.Vectors.Selection
	}
	text += ", weight " + m.Vectors.Weight
	if m.Vectors.Normalize != string(decode.NormalizeNone) {
		text += ", normalize " + m.Vectors.Normalize
	}
	if m.Vectors.Weight == string(decode.KernelValue) || m.Vectors.Normalize == string(decode.NormalizeKernel) {
		text += fmt.Sprintf(", lambda %g", m.Vectors.Lambda)
	}
	return text
}

// validate cross-validates where it is asked for, prints the measures and sets the C that
// was best.
func (c *trainCommand) validate(ctx context.Context, env *Env, learner linear.Learner, set *decode.TrainingSet, o *linear.Options) error {
	if !c.validates() {
		return nil
	}
	folds, err := c.deal(set)
	if err != nil {
		return err
	}
	prices := c.C
	switch {
	case !learner.Prices:
		prices = []float64{o.C}
	case len(prices) == 0:
		prices = defaultPrices
	}
	trials, err := linear.CrossValidate(ctx, learner, &set.Samples, nil, folds, prices, *o)
	env.Progress.Close()
	if err != nil {
		return err
	}
	for i := range trials {
		t := &trials[i]
		line := fmt.Sprintf("cross-validation, %d folds", folds.Count())
		if learner.Prices {
			line += fmt.Sprintf(", C %g", t.C)
		}
		env.Note("%s: accuracy %.2f %%, mean F1 %.2f %%", line, 100*t.Outcomes.Accuracy(), 100*t.Outcomes.MacroF1())
	}
	best := &trials[crossval.Best(trials)]
	o.C = best.C
	for _, l := range best.Outcomes.Labels() {
		if l.Name != "" {
			env.Note("%s: %s", l.Name, quality(&l))
		}
	}
	return nil
}

// deal deals the samples out to folds.
func (c *trainCommand) deal(set *decode.TrainingSet) (crossval.Folds, error) {
	switch {
	case c.Folds != "":
		f, err := decode.OpenFile(c.Folds, strings.NewReader(""))
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return decode.ReadFolds(f, f.Name, set.Names)
	case c.Group != "":
		return crossval.Grouped(set.Documents, c.CV, c.Seed)
	case c.Stratify:
		return crossval.Stratified(set.Labels, c.CV, c.Seed)
	}
	return crossval.Random(len(set.Labels), c.CV, c.Seed)
}

// openLinearModel opens a linear model.
func openLinearModel(_ context.Context, c *predictCommand, s *store.Store, info *store.ModelInfo) (decode.Model, error) {
	if c.Decision != "" {
		return nil, usage.Errorf("--decision is for voted perceptrons, and %s is a model of %s", info.Name, info.Learner)
	}
	return decode.OpenLinearModel(s, info.Name)
}

// importWeights takes the weights of another program into a store.
func importWeights(_ context.Context, _ *Env, c *importCommand, w *store.Writer, f *decode.File) (decided string, err error) {
	if err := freeName(w.Meta(), c.Name, c.Overwrite); err != nil {
		return "", err
	}
	features := featureFlags{c.Space, c.Selection, weightFlag{c.Weight}}
	l, err := features.open(w.Store(), decode.LinearizerOptions{Normalize: decode.Normalize(c.Normalize), Lambda: c.Lambda})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	m, err := decode.ReadWeights(f, l, c.Positive)
	if err != nil {
		return "", err
	}
	if err := decode.PutLinearModel(w, c.Name, linearImported, m, l, nil); err != nil {
		return "", err
	}
	weights := len(m.ID)
	if weights > 0 && m.ID[0] == 0 {
		weights--
	}
	return fmt.Sprintf("model %s: %s: weights of %s of %s", c.Name, vectorsText(m), plural(weights, "feature"), index.Thousands(m.Features)), nil
}
