package learn

import (
	"fmt"

	"fstore/cli/command"
	"fstore/index"
	"fstore/index/treescore"
	"fstore/mine/learn/crossval"
	"fstore/mine/learn/measure"
	"fstore/mine/selection"
	"fstore/store"
)

// sayMeasures prints how well labels were predicted, if any sample had a label.
func sayMeasures(e *command.Env, o *measure.Outcomes, labels []string) {
	if o.Samples == 0 {
		return
	}
	line := fmt.Sprintf("accuracy %.2f %% (%s of %s)", 100*o.Accuracy(), index.Thousands(o.Correct), index.Thousands(o.Samples))
	if len(labels) == 2 {
		l := o.Of(labels[0])
		e.Note("%s; %s: %s", line, labels[0], quality(&l))
		return
	}
	for _, l := range o.Labels() {
		e.Note("%s: %s", l.Name, quality(&l))
	}
	e.Note("%s; mean F1 %.2f %%", line, 100*o.MacroF1())
}

func quality(l *measure.Label) string {
	return fmt.Sprintf("precision %.2f %%, recall %.2f %%, F1 %.2f %%", 100*l.Precision(), 100*l.Recall(), 100*l.F1())
}

// sayBaselines prints how good the trees of lists are without learning. The parameter base counts the trees
// with the best scores, vote those with the most votes, and oracle the best trees of the lists.
func sayBaselines(e *command.Env, k index.Kind, base, vote, oracle treescore.Counts) {
	e.Note("base: %s", command.TreeScores(k, base))
	if k == index.Dependency {
		e.Note("vote: %s", command.TreeScores(k, vote))
	}
	e.Note("oracle: %s", command.TreeScores(k, oracle))
}

// foldSelection returns a function that returns, for a fold, the name of the selection mined outside of it.
// If --selection was not mined per fold, the function is nil. In that case a warning is printed if labels
// were used to choose the fragments.
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

// sayTrials prints the results of cross-validation, and returns the value of C in the best trial.
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
