package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"fstore/cli/usage"
	"fstore/decode"
	"fstore/index"
	"fstore/mine/rerank"
	"fstore/mine/treescore"
	"fstore/store"
)

// listFlags are those of learning to choose from K-best lists.
type listFlags struct {
	Beta    []float64 `placeholder:"B" help:"What a candidate's own score counts beside the model's: one, or several to choose from by cross-validation (default: a grid around where both matter alike)."`
	Target  string    `enum:"gold,oracle" default:"gold" help:"What is to be first: gold, the gold tree whether or not it was offered, or oracle, the candidate nearest to it (default: ${default})."`
	Augment float64   `placeholder:"A" help:"While learning, each error of a tree adds A to its score (default: 0)."`
	Tags    string    `enum:"majority,own" default:"majority" help:"The tags, lemmas and features that the trees of a list have: those of most candidates, or each its own, by which gold trees may be known (default: ${default})."`

	scoreFlags `embed:""`
}

// listFolds is in how many folds β is chosen where --cv and --folds do not say.
const listFolds = 5

// check checks the flags, which are of rerankers alone; other flags of c are not.
func (f *listFlags) check(c *trainCommand, reranks bool) error {
	switch {
	case !reranks && (len(f.Beta) > 0 || f.Augment != 0 || f.Target != string(rerank.TargetGold) || f.Tags != string(decode.TagsMajority) || f.scoreFlags != scoreFlags{Relations: "whole"}):
		return usage.Errorf("--beta, --target, --augment, --tags, --punct and --relations are for learners of K-best lists with gold trees (build --gold)")
	case !reranks:
		return nil
	case slices.ContainsFunc(f.Beta, func(b float64) bool { return !(b >= 0 && b <= most) }):
		return usage.Errorf("--beta: 0 or above")
	case !(f.Augment >= 0 && f.Augment <= most):
		return usage.Errorf("--augment: 0 or above")
	case c.Positive != "" || len(c.weights) > 0 || c.Stratify || c.Bias != 1:
		return usage.Errorf("--positive, --class-weight, --stratify and --bias are about labels, and the store has K-best lists with gold trees")
	}
	return nil
}

// options are what the flags say about training.
func (c *trainCommand) rerankOptions(env *Env) rerank.Options {
	return rerank.Options{
		Target: rerank.Target(c.Target), Augment: c.Augment, Epochs: c.Epochs, Seed: c.Seed,
		Workers: c.Workers, Progress: env.Progress,
	}
}

// trainReranker trains a linear model that chooses from lists.
func trainReranker(ctx context.Context, env *Env, c *trainCommand, w *store.Writer) (decided string, err error) {
	l, err := c.featureFlags.open(w.Store(), decode.LinearizerOptions{Normalize: decode.Normalize(c.Normalize), Lambda: c.Lambda})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	set, err := decode.NewListSet(ctx, w.Store(), l, c.scoreFlags.options(), decode.Tags(c.Tags), c.Workers, env.Progress)
	if err != nil {
		return "", err
	}
	o := c.rerankOptions(env)
	beta, err := c.tune(ctx, env, set, &o)
	if err != nil {
		return "", err
	}
	m, mistakes, err := rerank.Train(ctx, &set.Lists, &set.Vectors, o)
	if err != nil {
		return "", err
	}
	m.Linear.Vectors = decode.VectorsOf(l)
	m.Beta, m.Tags = beta, c.Tags
	settings := map[string]string{
		"seed": fmt.Sprint(c.Seed), "epochs": strconv.Itoa(len(mistakes)), "target": c.Target, "augment": fmt.Sprint(c.Augment),
	}
	if err := decode.PutReranker(w, c.Name, m, l, settings); err != nil {
		return "", err
	}
	env.Progress.Close()
	return fmt.Sprintf("model %s: %s, beta %.6g, %s, %s%s: %s of %s, %s in the last of %s", c.Name, rerank.LearnerLinear, beta, vectorsText(m.Linear),
		plural(len(set.List), "list"), goldless(set), plural(m.Linear.NonZero(0), "feature"), index.Thousands(set.Features),
		plural(mistakes[len(mistakes)-1], "mistake"), plural(len(mistakes), "epoch")), nil
}

// goldless says that lists were left out.
func goldless(set *decode.ListSet) string {
	if set.Goldless == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s without a gold tree left out)", index.Thousands(set.Goldless))
}

// tune chooses β, and with it the epochs of o, by cross-validation, unless there is one β
// and no cross-validation is asked for.
func (c *trainCommand) tune(ctx context.Context, env *Env, set *decode.ListSet, o *rerank.Options) (beta float64, err error) {
	if len(c.Beta) == 1 && !c.given() {
		return c.Beta[0], nil
	}
	if !c.given() {
		c.CV = listFolds
	}
	names, documents := set.Names()
	folds, err := c.deal(c.Seed, names, documents, nil)
	if err != nil {
		return 0, err
	}
	trials, err := rerank.CrossValidate(ctx, &set.Lists, &set.Vectors, folds, c.Beta, *o)
	env.Progress.Close()
	if err != nil {
		return 0, err
	}
	for from, to := 0, 0; from < len(trials); from = to {
		for to < len(trials) && trials[to].Epochs == trials[from].Epochs {
			to++
		}
		t := rerank.Best(&set.Lists, trials[from:to])
		env.Note("cross-validation, %d folds, %s, beta %.6g: %s", folds.Count(), plural(t.Epochs, "epoch"), t.Beta, treeScores(set.Kind, t.Counts))
	}
	t := rerank.Best(&set.Lists, trials)
	o.Epochs = t.Epochs
	c.baselines(env, set)
	return t.Beta, nil
}

// baselines says what the lists come to without learning.
func (c *trainCommand) baselines(env *Env, set *decode.ListSet) {
	env.baselines(set.Kind, set.Chosen(rerank.Base), set.Chosen(func(i int, _ *rerank.List) int { return set.Vote[i] }), set.Chosen(rerank.Oracle))
}

// baselines says what lists come to without learning.
func (e *Env) baselines(k index.Kind, base, vote, oracle treescore.Counts) {
	e.Note("base: %s", treeScores(k, base))
	if k == index.Dependency {
		e.Note("vote: %s", treeScores(k, vote))
	}
	e.Note("oracle: %s", treeScores(k, oracle))
}

// openReranker opens a linear model that chooses from lists.
func openReranker(_ context.Context, c *predictCommand, s *store.Store, info *store.ModelInfo) (decode.ListModel, error) {
	return decode.OpenReranker(s, info.Name)
}
