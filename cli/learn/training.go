package learn

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"fstore/cli/command"
	"fstore/decode/linearize"
	"fstore/decode/predict"
	"fstore/index"
	"fstore/mine/learn/crossval"
	"fstore/mine/learn/linear"
	"fstore/mine/learn/svm"
	"fstore/mine/query"
	"fstore/mine/selection"
	"fstore/store"
)

// training has the flags that the learners share.
type training struct {
	Name      string `required:"" placeholder:"M" help:"The model's name."`
	Learner   string `enum:"${learners}" default:"svm" help:"What learns: ${enum} (default: ${default})."`
	Overwrite bool   `help:"Replace a model of that name."`

	Kernel command.SpaceArg `group:"Kernel machines:" predictor:"space" placeholder:"NAME[:OPTIONS]" help:"${kernel_help}"`

	Where *string `placeholder:"EXPR" help:"${train_where_help}"`

	linearFlags `embed:"" group:"Linear models:"`
	overFlags   `embed:"" group:"Over all fragments:"`
	FoldFlags   `embed:"" group:"Cross-validation:"`
	PerFold     bool `group:"Cross-validation:" help:"Of svm: keep a model of what is outside of each fold as well, as NAME.fold1 and so on, for mine --by relevance --per-fold with the same folds."`
	listFlags   `embed:"" group:"Reranking K-best lists:"`

	Lambda      float64          `group:"Learning:" default:"0.4" help:"The decay of the kernel, and of --weight kernel and --normalize kernel."`
	Normalize   string           `group:"Learning:" enum:",none,l2,kernel" default:"" placeholder:"HOW" help:"Scale trees to length 1: kernel, over all of the space (the default of kernel machines), or l2, over the features of a linear model; or none (the default of linear models)."`
	C           []float64        `group:"Learning:" name:"cost" short:"C" placeholder:"C" help:"The price of a violated margin, or of a loss (default: 1); with --cv, several to choose from."`
	ClassWeight []string         `group:"Learning:" placeholder:"LABEL=W" help:"Multiply the price by W for samples with LABEL, in the machine of that label; repeatable."`
	Epsilon     float64          `group:"Learning:" default:"0.001" help:"Of svm: stop where no optimality condition is violated by more."`
	Positive    string           `group:"Learning:" placeholder:"LABEL" help:"Tell LABEL from all others (default: a machine for each label; of two labels, that of the larger number or the first in byte order is positive)."`
	Epochs      *int             `group:"Learning:" placeholder:"N" help:"Of a perceptron: how often it sees all samples, at most (default: 1, of averaged-perceptron 10)."`
	Seed        uint64           `group:"Learning:" placeholder:"N" help:"Of orders: voted-perceptron keeps the order of the samples with 0 (the default), and else shuffles them for each epoch; averaged-perceptron, l2-svm and folds always shuffle."`
	Memory      command.ByteSize `placeholder:"SIZE" help:"Memory for rows of the kernel matrix, or for growth (--over all), such as 64MiB (default: 1GiB), or for the vectors of K-best lists, which else go to disk (default: 256MiB); the model is the same."`
	Workers     int              `placeholder:"N" help:"Goroutines (default: one a core)."`

	weights map[string]float64 // label → W, from ClassWeight
	learner learner            // the learner named by Learner
}

// learner says how a kind of model is trained, and how it is opened for predictions.
type learner struct {
	name   string
	train  trainer // nil if --learner does not accept the name
	rerank trainer // like train, but from K-best lists with gold trees; nil if the learner needs labels
	// rerankOver is like rerank, but for `--over all`.
	rerankOver trainer
	// check returns an error if a flag does not fit the learner.
	check func(c *training) error
	// open opens a model for predictions. The result is a lists.ListModel or a predict.Model.
	open func(ctx context.Context, c *prediction, s *store.Store, info *store.ModelInfo) (predict.Readable, error)

	linear linear.Learner // for linear models only
}

// trainer trains a model, puts it into w under the name c.Name, and returns the closing line.
type trainer func(ctx context.Context, env *command.Env, c *training, w *store.Writer) (decided string, err error)

type linearFlags struct {
	featureFlags `embed:""`

	Loss linear.Loss `enum:"squared-hinge,hinge," default:"" placeholder:"LOSS" help:"Of l2-svm: squared-hinge, the default, or hinge."`
	Bias float64     `default:"1" help:"The value of one more feature that each sample has; 0 is no bias."`
}

type listFlags struct {
	Beta    betas   `placeholder:"B" help:"${beta_help}"`
	Target  string  `enum:"gold,oracle" default:"gold" help:"What is to be first: gold, the gold tree whether or not it was offered, or oracle, the candidate nearest to it (default: ${default})."`
	Augment float64 `placeholder:"A" help:"While learning, each error of a tree adds A to its score (default: 0)."`
	Tags    string  `enum:"majority,own" default:"majority" help:"The tags, lemmas and features that the trees of a list have: those that most candidates have, each counted as in the vote of predict, or each its own, by which gold trees may be known (default: ${default})."`

	Chunks  int `placeholder:"N" help:"Of voted-perceptron: deal the lists to N machines, each of which learns from its own (default: 10). Time falls with N."`
	HeldOut int `placeholder:"N" help:"Of voted-perceptron: choose beta on N lists, each decided by the machines that have not learned from it (default: 300)."`

	command.ScoreFlags `embed:""`
}

var defaultPrices = []float64{0.01, 0.1, 1, 10, 100}

// usesLambda reports whether the values of vectors depend on the decay λ of the kernel.
func usesLambda(weight, normalize string) bool {
	return weight == string(linearize.KernelValue) || normalize == string(linearize.NormalizeKernel)
}

func (c *training) isKernelMachine() bool {
	return c.Learner == svm.LearnerSVM || c.Learner == svm.LearnerPerceptron
}

func (c *training) checkEffects(env *command.Env) error {
	isPerceptron := c.Learner == svm.LearnerPerceptron || c.Learner == linear.AveragedPerceptron
	var err error
	if !c.isKernelMachine() && !usesLambda(c.Weight, c.Normalize) {
		err = env.Needs("--weight kernel, --normalize kernel and kernel machines", "lambda")
	}
	if isPerceptron {
		err = errors.Join(err, env.Needs("learners with a price, and perceptrons have none", "cost", "class-weight"))
	} else {
		err = errors.Join(err, env.Needs("perceptrons", "epochs"))
	}
	if !isPerceptron && c.Learner != linear.L2SVM && c.CV == 0 {
		err = errors.Join(err, env.Needs("--cv, perceptrons and l2-svm: "+c.Learner+" has nothing random", "seed"))
	}
	return err
}

func (c *training) price() float64 {
	if len(c.C) == 0 {
		return 1
	}
	return c.C[0]
}

// prices returns the values of C that cross-validation tries.
func (c *training) prices() []float64 {
	if len(c.C) == 0 {
		return defaultPrices
	}
	return c.C
}

// selected opens the selection of --selection. Without this flag, it returns nil.
func (c *training) selected(s *store.Store) (*query.Selection, error) {
	if c.Selection == "" {
		return nil, nil
	}
	return query.OpenSelection(s, c.Selection)
}

// linearizer opens the Linearizer for training. The features are the fragments of the selection. If its name
// is "", the flags choose the features.
func (c *training) linearizer(s *store.Store, selection string) (*linearize.Linearizer, error) {
	features := c.featureFlags
	if selection != "" {
		features.Selection = selection
	}
	return features.open(s, linearize.Options{Normalize: linearize.Normalize(c.Normalize), Lambda: c.Lambda})
}

// foldSelection returns a function that names the selection mined without a given fold. The function is nil
// if --selection was not mined per fold.
func (c *training) foldSelection(env *command.Env, m *store.Meta, folds crossval.Folds) (func(fold int) string, error) {
	sel := m.Selection(c.Selection)
	if sel == nil {
		return nil, nil
	}
	mined, err := selection.MinedPerFold(m, sel, folds)
	switch {
	case err != nil:
		return nil, index.Usagef("selection %s %v", sel.Name, err)
	case mined:
		return func(fold int) string { return crossval.FoldName(sel.Name, fold) }, nil
	case crossval.OfFold(sel.Settings):
		env.Warn("selection %s was mined outside of one fold, and has seen the others: the measures of cross-validation are too good", sel.Name)
	case sel.Settings[selection.ChosenBySetting] != "":
		env.Warn("selection %s was chosen by %s of all samples, held-out ones too: the measures of cross-validation are too good", sel.Name, sel.Settings[selection.ChosenBySetting])
	case selection.SawLabels(sel):
		env.Warn("selection %s was mined by %s on all samples, held-out ones too: the measures of cross-validation are too good (mine --per-fold)", sel.Name, sel.By)
	}
	return nil, nil
}

// sayTrials prints the results of cross-validation, and returns the best value of C.
func (c *training) sayTrials(env *command.Env, folds crossval.Folds, trials []crossval.Trial, prices bool) float64 {
	for i := range trials {
		t := &trials[i]
		line := fmt.Sprintf("cross-validation, %d folds", folds.Count())
		if prices {
			line += fmt.Sprintf(", C %g", t.C)
		}
		env.Note("%s: accuracy %.2f %%, mean F1 %.2f %%", line, 100*t.Outcomes.Accuracy(), 100*t.Outcomes.MacroF1())
	}
	best := &trials[crossval.Best(trials)]
	for _, l := range best.Outcomes.Labels() {
		if l.Name != "" {
			env.Note("%s: %s", l.Name, quality(&l))
		}
	}
	return best.C
}

// freeName returns an error if a new model cannot have this name.
func freeName(m *store.Meta, name string, overwrite bool) error {
	if err := selection.ValidName(name); err != nil {
		return err
	}
	if m.Selection(name) != nil {
		return fmt.Errorf("%w: the store has a selection %q", store.ErrNameTaken, name)
	}
	if m.Model(name) != nil && !overwrite {
		return fmt.Errorf("model %q exists: --overwrite replaces it", name)
	}
	return nil
}

// samplesText says how many samples were used for training, and how many were left out because they have no
// label.
func samplesText[N, L int | uint32 | uint64](n N, left L) string {
	text := index.Plural(n, "sample")
	if left > 0 {
		text += fmt.Sprintf(" (%s without a label left out)", index.Thousands(left))
	}
	return text
}

// overAll is the value of --over for all fragments of a space, stored or not.
const overAll = "all"

type overFlags struct {
	Over       string   `enum:"stored,all" default:"stored" help:"What l1-svm and l1-logistic learn over: the fragments that are stored (or --selection), or all of the space (default: ${default})."`
	MinSupport *uint32  `placeholder:"N" help:"Only fragments that at least this many of the training samples have (default: 1)."`
	MaxOrder   *int     `placeholder:"R" help:"Only fragments of at most this order; 0 is any (default: 0)."`
	Path       *int     `placeholder:"N" help:"How many values of C the path has, up to -C (default: 20; of K-best lists 1)."`
	Gap        *float64 `placeholder:"SHARE" help:"How close to the least objective each point is proven to be, as a share of its own (default: 1e-4)."`
	Resume     bool     `help:"Go on from what an interrupted or killed run with the same options has left; leave that again if interrupted."`
}

// betas is the value of --beta: numbers, or the word grid. For grid, package rerank chooses the numbers.
type betas struct {
	values []float64
	grid   bool
}

func (b *betas) given() bool { return b.grid || len(b.values) > 0 }

func (b *betas) UnmarshalText(text []byte) error {
	if b.grid = string(text) == "grid"; b.grid {
		return nil
	}
	for field := range strings.SplitSeq(strings.TrimPrefix(string(text), command.LiteralMark), ",") {
		x, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return fmt.Errorf("%q is no number: expected numbers, or grid", field)
		}
		b.values = append(b.values, x)
	}
	return nil
}
