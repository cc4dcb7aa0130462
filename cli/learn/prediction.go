package learn

import (
	"fstore/cli/command"
	"fstore/index"
	"fstore/store"
)

// prediction has the flags of predict that apply to all kinds of models.
type prediction struct {
	Model     string `xor:"what" required:"" placeholder:"M" help:"The model's name."`
	Selection string `xor:"what" required:"" placeholder:"SEL" help:"A selection by relevance, or by gradient in K-best lists, instead: its own weights predict."`
	Training  bool   `help:"Predict the samples of the store itself."`
	Decision  string `enum:",voted,averaged" default:"" placeholder:"HOW" help:"Of a voted perceptron: its machines vote, voted (the default; the score is the share of votes for the label less that against it), or are averaged."`

	Why int `placeholder:"N" help:"${why_help}"`

	Stream bool `help:"Print a line a tree, of the label and the score alone, with what --why adds, and without a header: for a program that writes a tree and reads a line. In tsv (the default), csv or jsonl."`

	listPredictFlags   `embed:"" group:"Choosing from K-best lists:"`
	command.LabelFlags `embed:"" group:"Labels:"`
	command.InputFlags `embed:"" group:"Reading input:"`

	OnError             string `group:"Reading input:" enum:"stop,skip,empty" default:"stop" help:"What a bad tree does: stop, skip (it has no row), or empty (its row has neither label nor score; not with K-best lists)."`
	command.ErrorFlags  `embed:"" group:"Reading input:"`
	Workers             int `placeholder:"N" help:"Goroutines (default: one a core)."`
	command.OutputFlags `embed:"" group:"Output:"`
}

type listPredictFlags struct {
	Gold  string `placeholder:"FILE" predictor:"file" help:"The gold trees of the lists: how good the chosen trees are is said on standard error."`
	Trees string `placeholder:"FILE" predictor:"output" help:"Write the chosen trees to FILE as they were read, --as or not: conllu; or brackets, a tree a line, or where FILE ends in .nbest lists of one tree."`

	command.ScoreFlags `embed:""`
}

// refuseDecision returns an error if --decision is given, which is only for perceptrons.
func (c *prediction) refuseDecision(info *store.ModelInfo) error {
	if c.Decision != "" {
		return index.Usagef("--decision is for voted perceptrons, and %s is a model of %s", info.Name, info.Learner)
	}
	return nil
}

func (f *listPredictFlags) refuseListFlags() error {
	if *f != (listPredictFlags{ScoreFlags: command.ScoreFlags{Relations: "whole"}}) {
		return index.Usagef("--gold, --trees, --punct and --relations are for models that choose from K-best lists")
	}
	return nil
}

func (c *prediction) refuseLabelFlags() error {
	if c.OnError == "empty" {
		return index.Usagef("--on-error empty: a bad tree is no candidate of its list: skip leaves it out")
	}
	if c.Stream {
		return index.Usagef("--stream is for models that predict labels, and %s chooses from K-best lists", c.Model)
	}
	if c.LabelFlags != (command.LabelFlags{}) {
		return index.Usagef("--label, --label-from, --label-match and --labels-file are for models that predict labels, and %s chooses from K-best lists: --gold FILE has their gold trees", c.Model)
	}
	return nil
}
