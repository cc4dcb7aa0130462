package learn

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"fstore/cli/command"
	"fstore/decode/linearize"
	"fstore/decode/lists"
	"fstore/decode/predict"
	"fstore/index"
	"fstore/mine/grow"
	"fstore/mine/learn/linear"
	"fstore/mine/learn/optimum"
	"fstore/mine/learn/rerank"
	"fstore/mine/query"
	"fstore/mine/selection"
	"fstore/store"
)

func (c *training) checkOver() error {
	if c.Over != overAll {
		if c.overFlags != (overFlags{Over: c.Over}) {
			return index.Usagef("--min-support, --max-order, --path, --gap and --resume go with --over all")
		}
		return nil
	}
	switch {
	case !c.learner.linear.OverAll():
		return index.Usagef("--over all is of l1-svm and l1-logistic")
	case c.Selection != "" || c.Where != nil:
		return index.Usagef("--over all is over no --selection, and has no --where")
	case c.Weight != "binary" || c.Normalize != "" && c.Normalize != string(linearize.NormalizeNone) || c.Bias != 1:
		return index.Usagef("--over all has binary features and a free bias: no --weight, --normalize and --bias")
	case len(c.C) > 1:
		return index.Usagef("-C: --over all chooses from the values of its path, which ends at one -C")
	case c.MinSupport != nil && *c.MinSupport < 1:
		return errors.New("--min-support: at least 1")
	case c.MaxOrder != nil && *c.MaxOrder < 0:
		return errors.New("--max-order: 0 or above")
	case c.Gap != nil && !(*c.Gap >= 1e-9 && *c.Gap < 1):
		return errors.New("--gap: from 1e-9, below 1")
	}
	return command.AtLeastOne("path", c.Path)
}

func trainOver(ctx context.Context, env *command.Env, c *training, w *store.Writer) (decided string, err error) {
	o := c.overOptions(env)
	if c.FoldFlags.Given() {
		folds, err := c.DealLabelled(ctx, c.Seed, w.Store())
		if err != nil {
			return "", err
		}
		o.Folds = folds.Folds
	}
	path, l, err := c.walkPath(ctx, env, w, o)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	m := linear.NewModel(path.Labels, path.Weights, 1)
	m.Vectors = predict.VectorsOf(l)
	settings, found := end(path)
	if err := predict.PutLinearModel(w, c.Name, c.Learner, m, l, settings); err != nil {
		return "", err
	}
	return fmt.Sprintf("model %s: %s, C %g, over all of %s, %s", c.Name, c.Learner, path.Prices[path.Chosen], grow.Describe(path.Info.ID, path.Limits),
		samplesText(path.Samples, path.Left)) + found, nil
}

func trainOverLists(ctx context.Context, env *command.Env, c *training, w *store.Writer) (decided string, err error) {
	o := c.overOptions(env)
	o.Lists = true
	if len(c.Beta.values) > 0 {
		o.Base = c.Beta.values[0]
	}
	path, l, err := c.walkPath(ctx, env, w, o)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	m := &rerank.Model{Linear: linear.NewModel(rerank.Labels, [][]float64{path.Weights[0]}, 0), Beside: rerank.OfScore(o.Base), Tags: c.Tags}
	m.Linear.Vectors = predict.VectorsOf(l)
	settings, found := end(path)
	if err := lists.PutReranker(w, c.Name, rerank.LearnerSVM, m, l, settings); err != nil {
		return "", err
	}
	return fmt.Sprintf("model %s: %s, C %g (of the norm %.6g), beta %g, over all of %s, %s", c.Name, rerank.LearnerSVM, o.C, 1/o.C, o.Base,
		grow.Describe(path.Info.ID, path.Limits), index.Plural(path.Samples, "list")) + found, nil
}

func (c *training) overOptions(env *command.Env) optimum.Options {
	return optimum.Options{
		Learner: c.Learner, Space: c.Space, MinSupport: command.Given(c.MinSupport), MaxOrder: command.Given(c.MaxOrder),
		C: c.price(), Values: command.Given(c.Path), Gap: command.Given(c.Gap), ClassWeight: c.weights, Positive: c.Positive,
		Workers: c.Workers, Memory: int64(c.Memory), Progress: env.Progress,
	}
}

// walkPath learns with one value of C after another, and prints a line for each value. It returns the path,
// and a Linearizer over the fragments with a weight.
func (c *training) walkPath(ctx context.Context, env *command.Env, w *store.Writer, o optimum.Options) (*optimum.Path, *linearize.Linearizer, error) {
	path, err := optimum.Run(ctx, w, o)
	env.Progress.Close()
	if err != nil {
		return nil, nil, err
	}
	if path.Trials != nil {
		c.sayTrials(env, o.Folds, path.Trials, true)
	}
	sayPath(env, path)
	if len(path.Entries) == 0 {
		return nil, nil, index.Usagef("-C %g: no fragment has a weight: C is too low, or the trees to be told apart are equal", path.Prices[path.Chosen])
	}
	l, err := c.keepEntries(ctx, w, path)
	return path, l, err
}

// sayPath prints a line for each value of C, with the largest gap and the sums over all machines.
func sayPath(env *command.Env, path *optimum.Path) {
	for i := range path.Points[0] {
		var sum optimum.Point
		gap, converged := 0.0, true
		for k := range path.Points {
			p := &path.Points[k][i]
			sum.Objective += p.Objective
			sum.Active += p.Active
			sum.Visited += p.Visited
			sum.Screened += p.Screened
			gap, converged = max(gap, p.Gap()), converged && p.Converged
		}
		env.Note("C %g: objective %.7g, gap at most %.2g %%, %s visited, %s screened, %s active", path.Prices[i], sum.Objective, 100*gap,
			index.Thousands(sum.Visited), index.Thousands(sum.Screened), index.Thousands(sum.Active))
		if !converged {
			env.Warn("C %g: not converged: the gap is larger than --gap. A lower C, or a path of more values (--path), is easier", path.Prices[i])
		}
	}
}

// keepEntries stores the fragments that have a weight as a selection, and returns a Linearizer over this
// selection.
func (c *training) keepEntries(ctx context.Context, w *store.Writer, path *optimum.Path) (*linearize.Linearizer, error) {
	c.Selection = selection.NameFor(w.Meta(), c.Name, "all")
	info := store.SelectionInfo{
		Name: c.Selection, Space: path.Info.Number, By: selection.BySupport,
		Columns: []string{query.SupportColumn, query.OccurrencesColumn},
		Settings: map[string]string{
			query.SamplesSetting:      strconv.FormatUint(uint64(w.Store().Meta().Samples), 10),
			selection.ChosenBySetting: "labels", selection.MadeForSetting: c.Name,
			"min-support": fmt.Sprint(path.Limits.MinSupport), "max-order": fmt.Sprint(path.Limits.MaxOrder),
		},
	}
	if err := selection.WriteAll(ctx, w, path.Space, info, path.Entries); err != nil {
		return nil, err
	}
	features := featureFlags{Selection: c.Selection, weightFlag: weightFlag{"binary"}}
	return features.open(w.Store(), linearize.Options{Lambda: c.Lambda})
}

// end returns the settings of the model that was chosen on the path, and text about it for the closing line.
func end(path *optimum.Path) (settings map[string]string, found string) {
	objective, gap := 0.0, 0.0 // sum and maximum over all machines
	for k := range path.Points {
		p := path.Points[k][path.Chosen]
		gap, objective = max(gap, p.Gap()), objective+p.Objective
	}
	return map[string]string{"c": fmt.Sprint(path.Prices[path.Chosen]), "over": overAll, "gap": fmt.Sprint(gap), "objective": fmt.Sprint(objective)},
		fmt.Sprintf(": %s, objective %.7g, gap at most %.2g %% over every fragment", index.Plural(len(path.Entries), "fragment"), objective, 100*gap)
}
