package learn

import (
	"context"
	"errors"

	"fstore/cli/command"
	"fstore/cli/output"
	"fstore/cli/table"
	"fstore/decode/lists"
	"fstore/decode/print"
	"fstore/decode/read"
	"fstore/index"
	"fstore/store"
)

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

// chosenColumns returns the columns of a row about a chosen candidate: sample, predicted, score, gold, each
// part of the score, and the reasons.
func chosenColumns(parts []string, why int) []table.Column {
	columns := []table.Column{{Name: "sample"}, {Name: "predicted", Kind: table.Int}, {Name: "score", Kind: table.Float}, {Name: "gold", Kind: table.Int}}
	for _, part := range parts {
		columns = append(columns, table.Column{Name: "adds:" + part, Kind: table.Float})
	}
	return append(columns, reasonColumns(why)...)
}

const firstPart = 4

// chooseFromLists prints the candidate that a model chooses from each list.
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

func setChosen(row *table.Row, x *lists.Reranked) {
	row.Clear()
	t := x.Candidates[x.Chosen]
	row.SetString(0, t.Name)
	row.SetInt(1, int64(t.Candidate))
	row.SetFloat(2, x.Score)
	if gold := x.GoldCandidate(); gold >= 0 {
		row.SetInt(3, int64(x.Candidates[gold].Candidate))
	}
	for i, adds := range x.Parts {
		row.SetFloat(firstPart+i, adds)
	}
	setReasons(row, firstPart+len(x.Parts), x.Why)
}

// saySums prints how good the chosen trees are, if any list had a gold tree.
func saySums(env *command.Env, sums *lists.Sums) {
	if sums.Lists == 0 {
		return
	}
	env.Note("reranked: %s (%s)", command.TreeScores(sums.Kind, sums.Reranked), index.Plural(sums.Lists, "list"))
	sayBaselines(env, sums.Kind, sums.Base, sums.Vote, sums.Oracle)
}

// rerank reads the lists of the inputs, with the symbols syms. The parameter r chooses from the lists.
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

// watchedLists reports how much of the lists has been read.
type watchedLists struct {
	*read.ListInputs
	env  *command.Env
	told int64
}

func (w *watchedLists) Release() {
	w.ListInputs.Release()
	done, _ := w.Progress()
	w.env.Progress.Add(done - w.told)
	w.told = done
}
