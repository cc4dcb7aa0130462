package cli

import (
	"context"
	"errors"

	"fstore/cli/output"
	"fstore/cli/table"
	"fstore/cli/usage"
	"fstore/decode"
	"fstore/index"
	"fstore/store"
)

// listPredictFlags are those of choosing from K-best lists.
type listPredictFlags struct {
	Gold  string `placeholder:"FILE" predictor:"file" help:"The gold trees of the lists: how good the chosen trees are is said on standard error."`
	Trees string `placeholder:"FILE" predictor:"file" help:"Write the chosen trees to FILE as they were read, --as or not: conllu; or brackets, a tree a line, or where FILE ends in .nbest lists of one tree."`

	scoreFlags `embed:""`
}

// checkLabels wants no flag of lists where labels are predicted.
func (f *listPredictFlags) checkLabels() error {
	if *f != (listPredictFlags{scoreFlags: scoreFlags{Relations: "whole"}}) {
		return usage.Errorf("--gold, --trees, --punct and --relations are for models that choose from K-best lists")
	}
	return nil
}

// chooseFromLists prints what a model chooses from lists.
func (c *predictCommand) chooseFromLists(ctx context.Context, env *Env, s *store.Store, m decode.ListModel) (err error) {
	if c.OnError == "empty" {
		return usage.Errorf("--on-error empty: a bad tree is no candidate of its list: skip leaves it out")
	}
	if c.Why > 0 || c.Stream {
		return usage.Errorf("--why and --stream are for models that predict labels, and %s chooses from K-best lists", c.Model)
	}
	if c.labelFlags != (labelFlags{}) {
		return usage.Errorf("--label, --label-from, --label-match, --labels-file and --document-from are for models that predict labels, and %s chooses from K-best lists: --gold FILE has their gold trees", c.Model)
	}
	log, err := env.side(c.ErrorLog)
	if err != nil {
		return err
	}
	defer log.Abort()
	trees, err := env.side(c.Trees)
	if err != nil {
		return err
	}
	defer trees.Abort()
	columns := []table.Column{{Name: "sample"}, {Name: "predicted", Kind: table.Int}, {Name: "score", Kind: table.Float}, {Name: "gold", Kind: table.Int}}
	out, err := env.Table(c.outputFlags, columns)
	if err != nil {
		return err
	}
	defer out.Abort()
	row := table.NewRow(len(columns))
	var text []byte
	var stored decode.ListSource // that are chosen from; nil: from the inputs
	syms := m.ReaderSymbols()
	if c.Training {
		if stored, syms, err = decode.StoredLists(s); err != nil {
			return err
		}
	}
	r := decode.NewReranking(ctx, m, syms, c.scoreFlags.options(), c.Workers, func(x *decode.Reranked) (err error) {
		t := x.Candidates[x.Chosen]
		if c.Trees != "" {
			read, readSyms := x.AsRead(x.Chosen, syms)
			if text, err = decode.AppendChosen(text[:0], c.Trees, read, readSyms); err != nil {
				return err
			}
			if _, err := trees.Write(text); err != nil {
				return err
			}
		}
		row.Clear()
		row.SetString(0, t.Name)
		row.SetInt(1, int64(t.Candidate))
		row.SetFloat(2, x.Score)
		if gold := x.GoldCandidate(); gold >= 0 {
			row.SetInt(3, int64(x.Candidates[gold].Candidate))
		}
		return out.Write(row)
	})
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
	if sums := &r.Sums; sums.Lists > 0 {
		env.Note("reranked: %s (%s)", treeScores(sums.Kind, sums.Reranked), index.Plural(sums.Lists, "list"))
		env.baselines(sums.Kind, sums.Base, sums.Vote, sums.Oracle)
	}
	return nil
}

// rerank reads the lists of the inputs, over syms, and has r choose from them.
func (c *predictCommand) rerank(env *Env, syms *index.Symbols, r *decode.Reranking, log output.Sink) error {
	o := env.inputOptions(r.Context(), &c.inputFlags, &c.labelFlags)
	o.Symbols, o.Gold, o.OnIdle = syms, c.Gold, r.Idle
	o.Skip, o.SkipLog = c.OnError == "skip", log
	in, err := decode.OpenLists(expandGlobs(c.Inputs), o)
	if err != nil {
		return err
	}
	_, total := in.Progress()
	env.Progress.Step("rerank", "bytes", total)
	err = r.Run(&watchedLists{ListInputs: in, env: env})
	env.Progress.Close()
	n, first := in.Skipped()
	env.refused(n, first, "left out", c.ErrorLog)
	return errors.Join(err, in.Close())
}

// watchedLists tells how much of the lists has been read.
type watchedLists struct {
	*decode.ListInputs
	env  *Env
	told int64
}

// Release is decode.ListSource's.
func (w *watchedLists) Release() {
	w.ListInputs.Release()
	done, _ := w.Progress()
	w.env.Progress.Add(done - w.told)
	w.told = done
}
