// Package learn has the commands that make vectors and models, and those that use models.
package learn

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fstore/cli/command"
	"fstore/cli/look"
	"fstore/index"
	"fstore/mine/learn/crossval"
	"fstore/mine/learn/svm"
	"fstore/mine/selection"
	"fstore/store"
)

// TrainCommand is the command `train`. It makes a model from labelled samples or K-best lists.
type TrainCommand struct {
	Store string `arg:"" predictor:"store" help:"The store, whose labelled samples are learned from."`

	training `embed:""`
}

func (*TrainCommand) Help() string {
	return `Trains a model on the labelled samples of a store and keeps it there, for predict. One machine tells two labels apart; where there are more, each label has one against the rest.

svm is the soft-margin support vector machine with a bias; the duality gap that is printed bounds what the solution lacks. voted-perceptron is the kernel perceptron of Freund & Schapire as Collins & Duffy (2001) use it for trees. With --selection their kernel runs over its fragments only, as Suzuki & Isozaki (2005) do with those that are significant.

The others are linear models over the vectors that linearize makes of the stored fragments, or of those of a selection: averaged-perceptron (Collins 2002), and the objectives of LIBLINEAR: l1-svm (-s 5), l1-logistic (-s 6), l2-logistic (-s 0 and 7), l2-svm (-s 1, with --loss hinge -s 3). A solver stops at a duality gap of 0.005 %, or where it gains no more (of l1-svm and l1-logistic, where a step gains less than 0.001 % of the objective); the gap is printed. The bias is one more feature, and regularised.

With --over all, l1-svm and l1-logistic learn over all fragments of the space, stored or not: C rises along a path from where no fragment has a weight, and each point is proven to be within --gap of the least objective over every fragment. Features are binary, and the bias is not regularised. The model is over the fragments that have a weight, which are kept as the selection NAME.all; of fragments that occur in the same samples the one of the least order stands for all. --cv and --folds choose C among the values of the path.

From K-best lists with gold trees (build --gold), averaged-perceptron learns to choose the better tree: where a tree with errors is before the gold tree, the difference of their vectors is added to the weights (Collins & Duffy 2002; Qian & Liu 2015). The score of a tree is the sum of these weights and of what else is known of it: its own score, times beta; other scores (comments # score:NAME = X); the parsers that gave it (# source = NAME NAME), each by how many of its arcs are in that parser's tree; the vote, how many of its arcs a tree of the list has on average; and its rank. What of this is looked at, the weights, which make the expected errors fewest, and the epochs are chosen by cross-validation over the lists, in 5 folds unless --cv or --folds says otherwise. With --beta there is only the score beside the fragments. Over a selection that was mined per fold, with the same folds, each fold by what was mined outside of it. voted-perceptron learns the same by a kernel: lists are dealt to machines (--chunks), as the kernel of each tree with all others would take too long, and all of them vote.

With --over all, l1-svm learns from K-best lists over all fragments of the space: it minimizes the objective of mine --by gradient (Qian & Liu 2015) divided by C of that, so that -C is 1 over their C, and is proven to be within --gap of the least. What candidates score beside it is --beta times their own score (default: 0). There is no path unless --path asks for one.

With --cv K, or --folds, each fold is predicted by a model of the others, and the measures are printed for each C (of -C, or else of 0.01 to 100); the one with the highest accuracy is what the model is then trained with on all samples. A selection that was mined on all samples has seen the held-out ones too: mine --per-fold, with the same folds, mines one outside of each fold as well, and each fold is then predicted over its own. What relevance in a model selects has seen what the model has: --per-fold keeps the models outside of the folds too, of the C that was chosen, for mine --per-fold.

Example:

    fstore train demo.store --name m --kernel stk -C 10
    fstore train demo.store --name v --learner voted-perceptron --kernel stk --epochs 5 --seed 1
    fstore train demo.store --name s --selection strong -C 10
    fstore train demo.store --name l --learner l1-svm --selection strong --cv 10 -C 0.01,0.1,1,10
    fstore train demo.store --name o --learner l1-svm --over all -C 10
    fstore train demo.store --name p -C 10 --per-fold --cv 10
    fstore train lists.store --name r --learner averaged-perceptron --cv 10 --group document
    fstore train lists.store --name s --learner l1-svm --over all -C 0.1 --beta 1
`
}

func (c *TrainCommand) Validate() error {
	c.weights = map[string]float64{}
	for _, w := range c.ClassWeight {
		at := strings.LastIndexByte(w, '=') // the label can contain =
		x, err := strconv.ParseFloat(w[at+1:], 64)
		if at < 1 || err != nil || !(x > 0 && x <= command.Most) {
			return fmt.Errorf("--class-weight: %q is not LABEL=W with W above 0", w)
		}
		c.weights[w[:at]] = x
	}
	switch {
	case c.Name == "":
		return errors.New("--name: a model needs a name")
	case c.Where != nil && *c.Where == "":
		return look.ErrNoCondition
	case slices.ContainsFunc(c.C, func(x float64) bool { return !(x > 0 && x <= command.Most) }):
		return errors.New("-C: above 0")
	case !(c.Epsilon > 0 && c.Epsilon < 1):
		return errors.New("--epsilon: above 0, below 1")
	}
	var err error
	if c.learner, err = learnerNamed(c.Learner); err != nil {
		return err
	}
	switch {
	case c.Epsilon != svm.DefaultEpsilon && c.Learner != svm.LearnerSVM:
		return index.Usagef("--epsilon is of svm: --learner %s stops by itself", c.Learner)
	case c.PerFold && !c.FoldFlags.Given():
		return index.Usagef("--per-fold goes with --cv or --folds")
	case c.PerFold && (c.Learner != svm.LearnerSVM || c.Selection != "" || c.Where != nil):
		return index.Usagef("--per-fold is of svm over all of a space, which is what mine --by relevance reads")
	case len(c.C) > 1 && !c.FoldFlags.Given():
		return index.Usagef("-C: several prices need --cv or --folds, to choose by")
	}
	if err := c.checkOver(); err != nil {
		return err
	}
	return errors.Join(command.CheckLambda(c.Lambda), command.AtLeastOne("epochs", c.Epochs), command.NotNegative("workers", c.Workers), c.FoldFlags.Check(), c.learner.check(&c.training))
}

func (c *TrainCommand) Run(ctx context.Context, env *command.Env) error {
	defer command.Frugal()()
	if err := c.checkEffects(env); err != nil {
		return err
	}
	decided, err := env.Commit(ctx, c.Store, c.Resume, func(w *store.Writer) (store.Event, error) {
		train, err := c.trainer(w.Store())
		if err == nil && c.Where != nil {
			err = c.choose(ctx, env, w)
		}
		if err != nil {
			return store.Event{}, err
		}
		if !c.PerFold {
			crossval.DropFolds(w.Meta(), c.Name)
		}
		decided, err := train(ctx, env, &c.training, w)
		env.Progress.Close()
		if err != nil {
			return store.Event{}, err
		}
		selection.DropMadeFor(w.Meta(), c.Name, c.Selection)
		event := env.Event(nil)
		event.Decided, event.Seed = decided, int64(c.Seed)
		return event, nil
	})
	if err == nil {
		env.Note("%s", decided)
	}
	return err
}

// trainer returns the function that trains on s. It returns an error if the flags do not fit s.
func (c *TrainCommand) trainer(s *store.Store) (trainer, error) {
	m := s.Meta()
	if err := freeName(m, c.Name, c.Overwrite); err != nil {
		return nil, err
	}
	labels, err := s.Labels()
	if err != nil {
		return nil, err
	}
	for label := range c.weights {
		found, ok := index.FindLabel(label, labels)
		if !ok {
			return nil, index.Usagef("--class-weight: no sample has the label %s%s", label, index.FormHint(label, labels))
		}
		if found != label {
			if _, twice := c.weights[found]; twice {
				return nil, index.Usagef("--class-weight: %s and %s are one label", label, found)
			}
			c.weights[found] = c.weights[label]
			delete(c.weights, label)
		}
	}
	train, rerank := c.learner.train, c.learner.rerank
	if c.Over == overAll {
		rerank = c.learner.rerankOver
	}
	reranks := rerank != nil && m.Lists.Gold() > 0
	if reranks {
		train = rerank
	}
	if m.Lists.Candidates > 0 && m.Lists.Gold() == 0 && m.Labels == 0 {
		return nil, index.Usagef("the store has K-best lists without gold trees (build --gold), and no labels: there is nothing to learn")
	}
	return train, c.checkLists(reranks)
}

// choose makes a selection of the fragments for which --where is true, and sets c.Selection to its name. The
// caller commits the selection.
func (c *TrainCommand) choose(ctx context.Context, env *command.Env, w *store.Writer) error {
	o := selection.DeriveOptions{
		From: c.Selection, Space: c.Space, Name: selection.NameFor(w.Meta(), c.Name, "where"), Model: c.Name, Overwrite: true,
		Settings: map[string]string{"where": *c.Where},
	}
	from, err := c.selected(w.Store())
	if err != nil {
		return err
	}
	if c.isKernelMachine() {
		kernel, err := c.kernelOptions(env, w, from)
		if err != nil {
			return err
		}
		o.Space = kernel.Config.Space.ID()
	}
	decided, err := look.Derive(ctx, env, w, o, *c.Where, c.Positive)
	if err != nil {
		return err
	}
	c.Selection, c.Space = o.Name, ""
	env.Note("%s", decided)
	return nil
}
