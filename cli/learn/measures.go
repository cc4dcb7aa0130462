package learn

import (
	"fmt"

	"fstore/cli/command"
	"fstore/index"
	"fstore/index/treescore"
	"fstore/mine/learn/measure"
)

// sayMeasures prints the accuracy of predicted labels. It prints nothing if no sample had a gold label.
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

// sayBaselines prints the scores of choices that need no learning, such as the parser's best tree and the
// tree nearest to the gold tree.
func sayBaselines(e *command.Env, k index.Kind, base, vote, oracle treescore.Counts) {
	e.Note("base: %s", command.TreeScores(k, base))
	if k == index.Dependency {
		e.Note("vote: %s", command.TreeScores(k, vote))
	}
	e.Note("oracle: %s", command.TreeScores(k, oracle))
}
