package learn

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fstore/decode/predict"
	"fstore/decode/read"
	"fstore/index"
	"fstore/mine/learn/crossval"
	"fstore/store"
)

// FoldFlags divide samples or K-best lists into folds, for cross-validation.
type FoldFlags struct {
	CV       int    `name:"cv" xor:"folds" placeholder:"K" help:"K folds."`
	Folds    string `xor:"folds" predictor:"file" placeholder:"FILE" help:"The folds that FILE names: a sample's name, a tab, a number; names that the store does not have are passed over."`
	Group    string `enum:",document" default:"" placeholder:"document" help:"With --cv: keep the samples of a document in one fold."`
	Stratify bool   `help:"With --cv: give each fold its share of each label."`
}

// Given reports whether the user asks for folds.
func (f *FoldFlags) Given() bool { return f.CV > 0 || f.Folds != "" }

// Check returns an error if two flags contradict each other or a value is out of range.
func (f *FoldFlags) Check() error {
	switch {
	case f.CV < 0 || f.CV == 1:
		return errors.New("--cv: at least 2 folds")
	case f.CV == 0 && (f.Group != "" || f.Stratify):
		return index.Usagef("--group and --stratify need --cv")
	case f.Group != "" && f.Stratify:
		return index.Usagef("--group and --stratify: one of them")
	}
	return nil
}

// deal returns the folds of samples or K-best lists. It uses labels only with --stratify.
func (f *FoldFlags) deal(ctx context.Context, seed uint64, names, documents []string, labels [][]string) (crossval.Folds, error) {
	switch {
	case f.Folds != "":
		in, err := read.OpenFile(ctx, f.Folds, strings.NewReader(""))
		if err != nil {
			return nil, err
		}
		defer in.Close()
		return predict.ReadFolds(in, in.Name, names)
	case f.Group != "" && !slices.ContainsFunc(documents, func(d string) bool { return d != "" }):
		return nil, index.Usagef("--group document: the store has no documents (build --document-from)")
	case f.Group != "":
		return crossval.Grouped(documents, f.CV, seed)
	case f.Stratify:
		return crossval.Stratified(labels, f.CV, seed)
	}
	return crossval.Random(len(names), f.CV, seed)
}

// DealLabelled divides the labelled samples of a store into folds.
func (f *FoldFlags) DealLabelled(ctx context.Context, seed uint64, s *store.Store) (o crossval.Options, err error) {
	l, err := crossval.ReadLabelled(ctx, s)
	if err != nil {
		return o, err
	}
	o.By, o.Samples = f.text(seed), l.Samples()
	o.Folds, err = f.deal(ctx, seed, l.Names, l.Documents, l.Labels)
	return o, err
}

// DealLists divides the K-best lists of a store into folds, except those without a gold tree.
func (f *FoldFlags) DealLists(ctx context.Context, seed uint64, s *store.Store) (o crossval.Options, err error) {
	l, err := crossval.ReadGoldLists(ctx, s)
	if err != nil {
		return o, err
	}
	o.By, o.Samples = f.text(seed), l.Samples
	o.Folds, err = f.deal(ctx, seed, l.Names, l.Documents, nil)
	return o, err
}

// OutsideEach returns a text with the least and the greatest of the counts outside of each fold.
func OutsideEach[T int | uint64](n []T) string {
	return fmt.Sprintf("; outside of each of %d folds %s to %s", len(n), index.Thousands(slices.Min(n)), index.Thousands(slices.Max(n)))
}

// text returns these flags and the seed as the user writes them, so that another run can make the same folds.
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
