package learn

import (
	"fmt"

	"fstore/cli/command"
	"fstore/index"
	"fstore/index/treescore"
	"fstore/mine/learn/measure"
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
