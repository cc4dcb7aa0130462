package learn

import (
	"context"
	"errors"
	"fmt"
	"io"

	"fstore/cli/command"
	"fstore/cli/output"
	"fstore/cli/table"
	"fstore/cli/usage"
	"fstore/decode/predict"
	"fstore/decode/read"
	"fstore/index"
	"fstore/mine/learn/measure"
	"fstore/store"
)

// PredictCommand predicts labels.
type PredictCommand struct {
	Store  string   `arg:"" predictor:"store" help:"The store that has the model."`
	Inputs []string `arg:"" optional:"" name:"input" predictor:"file" help:"Treebanks: files, folders, globs, or - for standard input (the default in a pipe)."`

	Model     string `xor:"what" required:"" placeholder:"M" help:"The model's name."`
	Selection string `xor:"what" required:"" placeholder:"SEL" help:"A selection by relevance instead: its own weights predict."`
	Training  bool   `help:"Predict the samples of the store itself."`
	Decision  string `enum:",voted,averaged" default:"" placeholder:"HOW" help:"Of a voted perceptron: its machines vote, voted (the default; the score is the share of votes for the label less that against it), or are averaged."`

	Why int `placeholder:"N" help:"Of a linear model: the N fragments that spoke loudest for or against the label, each with what it adds to the score, as columns fragment:1, adds:1 and so on."`

	Stream bool `help:"Print a line a tree, of the label and the score alone, with what --why adds, and without a header: for a program that writes a tree and reads a line. In tsv (the default), csv or jsonl."`

	listPredictFlags   `embed:"" group:"Choosing from K-best lists:"`
	command.LabelFlags `embed:"" group:"Labels and documents:"`
	command.InputFlags `embed:"" group:"Reading input:"`

	OnError             string `group:"Reading input:" enum:"stop,skip,empty" default:"stop" help:"What a bad tree does: stop, skip (it has no row), or empty (its row has neither label nor score; not with K-best lists)."`
	command.ErrorFlags  `embed:"" group:"Reading input:"`
	Workers             int `placeholder:"N" help:"Goroutines (default: one a core)."`
	command.OutputFlags `embed:"" group:"Output:"`
}

// Help is kong's hook.
func (*PredictCommand) Help() string {
	return `Prints a row a tree, in input order: its name, the predicted label, the score, and the gold label, where it has one. Of two labels there is one score, positive for the first; of more, the largest wins, and each has a column score:LABEL.

A model that was trained on K-best lists chooses from lists: a row a list, with the number of the candidate that is chosen, its score, and the number of the first candidate without an error, with --gold. Beside how good the chosen trees are, standard error then has those with the best scores of their own (base), those whose arcs most candidates have (vote; a candidate has as many votes as its score says, where all are positive), and of each list the best there is, by arcs and then by relations, or by brackets (oracle).

With --selection, the weights of a selection by relevance predict: the kernel machine less the fragments that were not selected.

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

// Validate is kong's hook.
func (c *PredictCommand) Validate() error {
	if c.Training && (len(c.Inputs) > 0 || c.Gold != "") {
		return errors.New("--training takes no INPUT, and no --gold")
	}
	if c.Stream && c.Format == "" && output.IsStdout(c.Out) {
		c.Format = table.Fallback(false)
	}
	return errors.Join(command.NotNegative("workers", c.Workers), command.NotNegative("why", c.Why),
		c.LabelFlags.Check(), c.InputFlags.Check(), c.ErrorFlags.Check(c.OnError))
}

// Run is kong's hook.
func (c *PredictCommand) Run(ctx context.Context, env *command.Env) error {
	if err := env.OrStdin(&c.Inputs, c.Training); err != nil {
		return err
	}
	return env.WithStore(c.Store, 0, func(s *store.Store) error {
		if c.Selection != "" {
			m, err := predict.OpenSelectionModel(s, c.Selection)
			if err != nil {
				return err
			}
			return closing(m, c.labels(ctx, env, s, m))
		}
		info := s.Meta().Model(c.Model)
		if info == nil {
			return noModel(s.Meta(), c.Model)
		}
		l, err := learnerNamed(info.Learner)
		if err != nil {
			return &store.Error{Dir: s.Dir(), Kind: store.ErrVersion, Err: err}
		}
		if l.openLists != nil {
			m, err := l.openLists(ctx, c, s, info)
			if err != nil {
				return err
			}
			return closing(m, c.chooseFromLists(ctx, env, s, m))
		}
		m, err := l.open(ctx, c, s, info)
		if err != nil {
			return err
		}
		return closing(m, c.labels(ctx, env, s, m))
	})
}

// closing closes a model where it holds something, after err.
func closing(m any, err error) error {
	if held, ok := m.(io.Closer); ok {
		err = errors.Join(err, held.Close())
	}
	return err
}

// noModel says which models there are.
func noModel(m *store.Meta, name string) error {
	if len(m.Models) == 0 {
		return usage.Errorf("no model %q: the store has none", name)
	}
	text := fmt.Sprintf("no model %q: there are", name)
	for i := range m.Models {
		text += " " + m.Models[i].Name
	}
	return usage.Errorf("%s", text)
}

// labels prints the labels that a model predicts.
func (c *PredictCommand) labels(ctx context.Context, env *command.Env, s *store.Store, m predict.Model) error {
	if err := c.checkLabels(); err != nil {
		return err
	}
	log, err := env.Side(c.ErrorLog)
	if err != nil {
		return err
	}
	defer log.Abort()
	rows := newPredictionRows(m.Labels(), c.Why, c.Stream)
	open := env.Table
	if c.Stream {
		open = env.Headless
	}
	out, err := open(c.OutputFlags, rows.columns)
	if err != nil {
		return err
	}
	defer out.Abort()
	if _, ok := out.Writer.(table.Flusher); c.Stream && !ok {
		return usage.Errorf("--stream: %s does not print a row at a time: choose tsv, csv or jsonl", out.Format)
	}
	p := predict.New(ctx, m, c.Workers, func(x *predict.Prediction) error { return out.Write(rows.set(x)) })
	p.Flush = out.Flush
	p.Why = c.Why
	if err := c.run(env, s, m, p, log); err != nil {
		return err
	}
	if err := errors.Join(out.Commit(), log.Commit()); err != nil {
		return err
	}
	sayMeasures(env, &p.Outcomes, m.Labels())
	return nil
}

// run reads what is predicted.
func (c *PredictCommand) run(env *command.Env, s *store.Store, m predict.Model, p *predict.Predictor, log output.Sink) error {
	if c.Training {
		return p.Run(store.NewSource(s))
	}
	o := env.InputOptions(p.Context(), &c.InputFlags, &c.LabelFlags)
	o.Symbols, o.OnIdle = m.ReaderSymbols(), p.Idle
	o.Skip, o.SkipLog = c.OnError == "skip", log
	in, err := read.Open(command.ExpandGlobs(c.Inputs), o)
	if err != nil {
		return err
	}
	done := "left out"
	if p.Empty = c.OnError == "empty"; p.Empty {
		done = "without a prediction"
	}
	if c.OnError != "stop" {
		p.Refused = in.Add
	}
	err = p.Run(env.Watch(in, "predict", c.Out))
	env.Progress.Close()
	n, first := in.Skipped()
	env.Refused(n, first, done, c.ErrorLog)
	return errors.Join(err, in.Close())
}

// measures says how well labels were predicted, where there was gold.
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

// quality says how well one label was predicted.
func quality(l *measure.Label) string {
	return fmt.Sprintf("precision %.2f %%, recall %.2f %%, F1 %.2f %%", 100*l.Precision(), 100*l.Recall(), 100*l.F1())
}
