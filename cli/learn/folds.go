package learn

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fstore/cli/command"
	"fstore/cli/usage"
	"fstore/decode/predict"
	"fstore/decode/read"
	"fstore/index"
	"fstore/mine/learn/crossval"
	"fstore/mine/selection"
	"fstore/store"
)

// FoldFlags deal labelled samples out to folds.
type FoldFlags struct {
	CV       int    `name:"cv" xor:"folds" placeholder:"K" help:"K folds."`
	Folds    string `xor:"folds" predictor:"file" placeholder:"FILE" help:"The folds that FILE names: a sample's name, a tab, a number; names that the store does not have are passed over."`
	Group    string `enum:",document" default:"" placeholder:"document" help:"With --cv: keep the samples of a document in one fold."`
	Stratify bool   `help:"With --cv: give each fold its share of each label."`
}

// Given says whether there are to be folds.
func (f *FoldFlags) Given() bool { return f.CV > 0 || f.Folds != "" }

func (f *FoldFlags) Check() error {
	switch {
	case f.CV < 0 || f.CV == 1:
		return errors.New("--cv: at least 2 folds")
	case f.CV == 0 && (f.Group != "" || f.Stratify):
		return usage.Errorf("--group and --stratify need --cv")
	case f.Group != "" && f.Stratify:
		return usage.Errorf("--group and --stratify: one of them")
	}
	return nil
}

// deal deals samples, or K-best lists, out to folds; labels are for Stratify only.
func (f *FoldFlags) deal(seed uint64, names, documents []string, labels [][]string) (crossval.Folds, error) {
	switch {
	case f.Folds != "":
		in, err := read.OpenFile(f.Folds, strings.NewReader(""))
		if err != nil {
			return nil, err
		}
		defer in.Close()
		return predict.ReadFolds(in, in.Name, names)
	case f.Group != "" && !slices.ContainsFunc(documents, func(d string) bool { return d != "" }):
		return nil, usage.Errorf("--group document: the store has no documents (build --document-from)")
	case f.Group != "":
		return crossval.Grouped(documents, f.CV, seed)
	case f.Stratify:
		return crossval.Stratified(labels, f.CV, seed)
	}
	return crossval.Random(len(names), f.CV, seed)
}

// DealLabelled deals out the labelled samples of a store.
func (f *FoldFlags) DealLabelled(ctx context.Context, seed uint64, s *store.Store) (o crossval.Options, err error) {
	l, err := crossval.ReadLabelled(ctx, s)
	if err != nil {
		return o, err
	}
	o.By, o.Samples = f.text(seed), l.Samples()
	o.Folds, err = f.deal(seed, l.Names, l.Documents, l.Labels)
	return o, err
}

// DealLists deals out the K-best lists of a store that have a gold tree.
func (f *FoldFlags) DealLists(ctx context.Context, seed uint64, s *store.Store) (o crossval.Options, err error) {
	l, err := crossval.ReadGoldLists(ctx, s)
	if err != nil {
		return o, err
	}
	o.By, o.Samples = f.text(seed), l.Samples
	o.Folds, err = f.deal(seed, l.Names, l.Documents, nil)
	return o, err
}

// OutsideEach says how many there are outside of each fold.
func OutsideEach[T int | uint64](n []T) string {
	return fmt.Sprintf("; outside of each of %d folds %s to %s", len(n), index.Thousands(slices.Min(n)), index.Thousands(slices.Max(n)))
}

// text is how the folds are dealt, as flags.
func (f *FoldFlags) text(seed uint64) string {
	if f.Folds != "" {
		return "--folds " + f.Folds
	}
	text := fmt.Sprintf("--cv %d --seed %d", f.CV, seed)
	if f.Group != "" {
		text += " --group " + f.Group
	}
	if f.Stratify {
		text += " --stratify"
	}
	return text
}

// foldSelection returns the name of the selection that was mined outside of a fold; nil
// where --selection has not been mined per fold, of which there is a warning if its
// fragments were chosen by labels.
func (c *TrainCommand) foldSelection(env *command.Env, m *store.Meta, folds crossval.Folds) (func(fold int) string, error) {
	sel := m.Selection(c.Selection)
	if sel == nil {
		return nil, nil
	}
	mined, err := selection.MinedPerFold(m, sel, folds)
	switch {
	case err != nil:
		return nil, usage.Errorf("selection %s %v", sel.Name, err)
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

// sayTrials prints how the trials of cross-validation went, and returns the price of the
// best.
func (c *TrainCommand) sayTrials(env *command.Env, folds crossval.Folds, trials []crossval.Trial, prices bool) float64 {
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

// prices are those that cross-validation tries.
func (c *TrainCommand) prices() []float64 {
	if len(c.C) == 0 {
		return defaultPrices
	}
	return c.C
}
