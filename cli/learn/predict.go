package learn

import (
	"context"
	"errors"
	"fmt"

	"fstore/cli/command"
	"fstore/cli/output"
	"fstore/cli/table"
	"fstore/decode/lists"
	"fstore/decode/predict"
	"fstore/index"
	"fstore/mine/query"
	"fstore/mine/selection"
	"fstore/store"
)

// PredictCommand predicts labels, or chooses candidates from K-best lists.
type PredictCommand struct {
	Store  string   `arg:"" predictor:"store" help:"The store that has the model."`
	Inputs []string `arg:"" optional:"" name:"input" predictor:"file" help:"Treebanks: files, folders, globs, or - for standard input (the default in a pipe)."`

	prediction `embed:""`
}

func (*PredictCommand) Help() string {
	return `Prints a row a tree, in input order: its name, the predicted label, the score, and the gold label, where it has one. Of two labels there is one score, positive for the first; of more, the largest wins, and each has a column score:LABEL.

A model that was trained on K-best lists chooses from lists: a row a list, with the number of the candidate that is chosen, its score, the number of the first candidate without an error, with --gold, and what each part adds to the score: score, scores of other names, source, vote and rank, as far as the model looks at them, and the fragments. Beside how good the chosen trees are, standard error then has those with the best scores of their own (base), those whose arcs most candidates have (vote; a candidate has as many votes as its score says, where all are positive), and of each list the best there is, by arcs and then by relations, or by brackets (oracle).

With --selection, the weights of a selection by relevance predict: the kernel machine less the fragments that were not selected. Those of a selection by gradient in K-best lists choose from lists, beside the scores that it was mined with (--base).

What is complete is printed whenever the input has nothing waiting (after a tree of brackets over several lines: with a blank line; a K-best list when the first tree of the next has come), so that a program can write a tree and wait for its row; --stream prints as little of it as that needs.

Where trees have gold labels, how well they are predicted, bad trees apart, is said on standard error: accuracy, and precision, recall and F1 of the positive label, or of each label with their mean. Labels that are numbers are compared as numbers.

Example:

    fstore predict demo.store new.mrg --model m --label-from file
    fstore predict demo.store new.mrg --selection heavy
    parser < text | fstore predict demo.store - --model m --format jsonl
    fstore predict demo.store new.mrg --model l --why 3
    parser < text | fstore predict demo.store - --model l --stream --on-error empty
    fstore predict lists.store new.conllu --model r --gold gold.conllu --trees best.conllu
`
}

func (c *PredictCommand) Validate() error {
	if c.Training && (len(c.Inputs) > 0 || c.Gold != "") {
		return errors.New("--training takes no INPUT, and no --gold")
	}
	if c.Training && (c.LabelFlags != command.LabelFlags{} || c.InputFlags != command.InputFlags{} || c.OnError != "stop") {
		return errors.New("--training predicts the stored samples: flags that say how trees are read and labelled are for INPUT")
	}
	if c.Stream && c.Format == "" && output.IsStdout(c.Out) {
		c.Format = table.Fallback(false)
	}
	return errors.Join(command.NotNegative("workers", c.Workers), command.NotNegative("why", c.Why),
		c.LabelFlags.Check(), c.InputFlags.Check(), c.ErrorFlags.Check(c.OnError))
}

func (c *PredictCommand) Run(ctx context.Context, env *command.Env) error {
	if err := env.OrStdin(&c.Inputs, c.Training); err != nil {
		return err
	}
	return env.WithStore(c.Store, 0, func(s *store.Store) error {
		m, err := c.open(ctx, s)
		if err != nil {
			return err
		}
		if choosing, ok := m.(lists.ListModel); ok {
			err = c.chooseFromLists(ctx, env, s, choosing)
		} else {
			err = c.labels(ctx, env, s, m.(predict.Model))
		}
		return errors.Join(err, m.Close())
	})
}

// open opens the selection or the model with which to predict. The result is a lists.ListModel or a
// predict.Model.
func (c *PredictCommand) open(ctx context.Context, s *store.Store) (predict.Readable, error) {
	if c.Selection != "" {
		sel, err := query.OpenSelection(s, c.Selection)
		switch {
		case err != nil:
			return nil, err
		case sel.Info.By == selection.ByGradient:
			return lists.OpenSelection(s, sel)
		}
		return predict.OpenSelectionModel(s, c.Selection)
	}
	info := s.Meta().Model(c.Model)
	if info == nil {
		return nil, noModel(s.Meta(), c.Model)
	}
	l, err := learnerNamed(info.Learner)
	if err != nil {
		return nil, &store.Error{Dir: s.Dir(), Kind: store.ErrVersion, Err: err}
	}
	return l.open(ctx, &c.prediction, s, info)
}

func noModel(m *store.Meta, name string) error {
	if len(m.Models) == 0 {
		return index.Usagef("no model %q: the store has none", name)
	}
	text := fmt.Sprintf("no model %q: there are", name)
	for i := range m.Models {
		text += " " + m.Models[i].Name
	}
	return index.Usagef("%s", text)
}

// prediction has the flags that are the same for all kinds of models.
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

// refuseDecision returns an error if --decision is given. The flag is only for perceptrons.
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
