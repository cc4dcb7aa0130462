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
	"fstore/decode/print"
	"fstore/decode/read"
	"fstore/index"
	"fstore/mine/query"
	"fstore/mine/selection"
	"fstore/store"
)

// PredictCommand is the command `predict`. It predicts labels, or chooses candidates from K-best lists.
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

// open opens what --model or --selection names. The result is a lists.ListModel or a predict.Model.
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

// labels prints the label that m predicts for each tree.
func (c *PredictCommand) labels(ctx context.Context, env *command.Env, s *store.Store, m predict.Model) error {
	if err := c.refuseListFlags(); err != nil {
		return err
	}
	log, err := env.SideLog(c.ErrorLog)
	if err != nil {
		return err
	}
	defer log.Abort()
	rows := newPredictionRows(m.Labels(), c.Why, c.Stream)
	out, err := env.TableWith(c.OutputFlags, rows.columns, func(o *table.Options) { o.NoHeader = c.Stream })
	if err != nil {
		return err
	}
	defer out.Abort()
	if _, ok := out.Writer.(table.Flusher); c.Stream && !ok {
		return index.Usagef("--stream: %s does not print a row at a time: choose tsv, csv or jsonl", out.Format)
	}
	printed := uint64(0)
	p := predict.New(ctx, m, c.Workers, func(x *predict.Prediction) error {
		printed++
		return out.Write(rows.set(x))
	})
	p.Flush = out.Flush
	p.Why = c.Why
	if err := c.run(env, s, m, p, log); err != nil {
		return command.Printed(err, printed, "row", c.Out)
	}
	if err := errors.Join(out.Commit(), log.Commit()); err != nil {
		return err
	}
	warnUnknown(env, p.Unknown)
	sayMeasures(env, &p.Outcomes, m.Labels())
	return nil
}

func (c *PredictCommand) run(env *command.Env, s *store.Store, m predict.Model, p *predict.Predictor, log output.Sink) error {
	if c.Training {
		return p.Run(store.NewSource(s))
	}
	env.CompareReading(s.Meta(), &c.InputFlags)
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
	env.Refused(&in.Refusals, done, c.ErrorLog)
	return errors.Join(err, in.Close())
}

// chooseFromLists prints the candidate that m chooses from each list.
func (c *PredictCommand) chooseFromLists(ctx context.Context, env *command.Env, s *store.Store, m lists.ListModel) (err error) {
	if err := c.refuseLabelFlags(); err != nil {
		return err
	}
	log, err := env.SideLog(c.ErrorLog)
	if err != nil {
		return err
	}
	defer log.Abort()
	trees, err := env.Side("--trees", c.Trees, "a treebank")
	if err != nil {
		return err
	}
	defer trees.Abort()
	parts := lists.PartsOf(m)
	columns := chosenColumns(parts, c.Why)
	out, err := env.Table(c.OutputFlags, columns)
	if err != nil {
		return err
	}
	defer out.Abort()
	row := table.NewRow(len(columns))
	var text []byte
	stored, syms := read.ListSource(nil), m.ReaderSymbols()
	if c.Training {
		if stored, syms, err = lists.StoredLists(s); err != nil {
			return err
		}
	}
	r := lists.NewReranking(ctx, m, syms, c.ScoreFlags.Options(), c.Workers, func(x *lists.Reranked) (err error) {
		if c.Trees != "" {
			read, readSyms := x.AsRead(x.Chosen, syms)
			if text, err = print.AppendChosen(text[:0], c.Trees, read, readSyms); err != nil {
				return err
			}
			if _, err := trees.Write(text); err != nil {
				return err
			}
		}
		setChosen(row, x)
		return out.Write(row)
	})
	r.Why = c.Why
	r.Flush = func() error { return errors.Join(out.Flush(), trees.Flush()) }
	if stored != nil {
		err = r.Run(stored)
	} else {
		err = c.rerank(env, syms, r, log)
	}
	if err != nil {
		return err
	}
	if err := errors.Join(out.Commit(), trees.Commit(), log.Commit()); err != nil {
		return err
	}
	saySums(env, &r.Sums)
	return nil
}

// rerank reads the lists of the inputs, and lets r choose a candidate from each list.
func (c *PredictCommand) rerank(env *command.Env, syms *index.Symbols, r *lists.Reranking, log output.Sink) error {
	o := env.InputOptions(r.Context(), &c.InputFlags, &c.LabelFlags)
	o.Symbols, o.Gold, o.OnIdle = syms, c.Gold, r.Idle
	o.Skip, o.SkipLog = c.OnError == "skip", log
	in, err := read.OpenLists(command.ExpandGlobs(c.Inputs), o)
	if err != nil {
		return err
	}
	_, total := in.Progress()
	env.Progress.Step("rerank", "bytes", total)
	err = r.Run(&watchedLists{ListInputs: in, env: env})
	env.Progress.Close()
	env.Refused(&in.Refusals, "left out", c.ErrorLog)
	return errors.Join(err, in.Close())
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
