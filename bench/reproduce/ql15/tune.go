package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strconv"

	"fstore/decode"
	"fstore/index"
	"fstore/mine/rerank"
	"fstore/mine/treescore"
	"fstore/store"
)

// tuned is what cross-validation has chosen.
type tuned struct {
	Choice choice
	UAS    float64 // of the training lists, in percent
	Cost   cost
}

// tune chooses what a system is trained with. What is mined has seen all lists that it was
// mined from, so each fold is mined anew; the others are tuned by train itself.
func (e *experiment) tune(ctx context.Context, x *system, c int) (t tuned, err error) {
	grid, err := x.grid(e.settings, c)
	switch {
	case err != nil:
		return t, err
	case x.kind == selected:
		return e.tuneMined(ctx, x, grid)
	case len(grid) == 1:
		t.Choice = grid[0]
		return t, nil
	}
	for i, c := range grid {
		_, uas, err := e.train(ctx, x, &t.Cost, e.whole(x), e.settings.train, c)
		if err != nil {
			return t, err
		}
		if i == 0 || uas > t.UAS {
			t.Choice, t.UAS = c, uas
		}
	}
	return t, nil
}

// heldOut is what train says of lists that a model has not learned from.
var heldOut = regexp.MustCompile(`(?m)^(?:cross-validation|voted), .*: UAS ([0-9.]+) %`)

// bestHeldOut is the best of what train says.
func bestHeldOut(log string) (best float64) {
	for _, m := range heldOut.FindAllStringSubmatch(log, -1) {
		if x, err := strconv.ParseFloat(m[1], 64); err == nil {
			best = max(best, x)
		}
	}
	return best
}

// train builds a store of lists, mines and trains, and returns what train said last, and of
// lists held out.
func (e *experiment) train(ctx context.Context, x *system, cost *cost, store, lists string, c choice) (log string, uas float64, err error) {
	s := e.settings
	for _, args := range [][]string{x.build(s, store, lists), x.mine(s, store, c, store+".log"), x.learn(s, store, c)} {
		if args == nil {
			continue
		}
		if _, log, err = cost.fstore(ctx, s, args...); err != nil {
			return "", 0, err
		}
	}
	return log, bestHeldOut(log), nil
}

// tuneMined cross-validates: of each fold, features are mined and weighed outside of it, and
// the lists in it reranked, with each choice; β is what is best over all folds.
func (e *experiment) tuneMined(ctx context.Context, x *system, grid []choice) (t tuned, err error) {
	all := &rerank.Lists{Kind: index.Dependency}
	scores := make([]rerank.Scores, len(grid))
	folds, err := e.split(ctx)
	if err != nil {
		return t, err
	}
	for i, f := range folds {
		if err := e.tuneFold(ctx, x, &t.Cost, f, grid, all, scores); err != nil {
			return t, fmt.Errorf("fold %d: %w", i+1, err)
		}
	}
	for k, c := range grid {
		best := rerank.Best(all, scores[k].Trials(all, c.Epochs, nil))
		if uas := 100 * best.Counts.Score(all.Kind); k == 0 || uas > t.UAS {
			c.Beta = best.Beta
			t.Choice, t.UAS = c, uas
		}
	}
	return t, nil
}

// tuneFold adds the lists of a fold to all, and to scores how each choice scores them.
func (e *experiment) tuneFold(ctx context.Context, x *system, cost *cost, f fold, grid []choice, all *rerank.Lists, scores []rerank.Scores) error {
	s, dir := e.settings, filepath.Join(e.settings.out, "fold.store")
	if _, _, err := cost.fstore(ctx, s, x.build(s, dir, f.outside)...); err != nil {
		return err
	}
	for k, c := range grid {
		if k == 0 || grid[k-1].Order != c.Order {
			if _, _, err := cost.fstore(ctx, s, x.mine(s, dir, c, dir+".log")...); err != nil {
				return err
			}
		}
		if _, _, err := cost.fstore(ctx, s, x.learn(s, dir, c)...); err != nil {
			return err
		}
		to := all
		if k > 0 {
			to = nil
		}
		if err := score(ctx, s, dir, f.inside, to, &scores[k]); err != nil {
			return err
		}
	}
	return nil
}

// score appends to scores how the model m of a store scores the candidates of lists, and to
// all the lists, where it is not nil.
func score(ctx context.Context, s *settings, dir, lists string, all *rerank.Lists, scores *rerank.Scores) (err error) {
	st, err := store.Open(dir, store.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	m, err := decode.OpenReranker(st, "m")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.(io.Closer).Close()) }()
	syms := m.ReaderSymbols()
	kbest, gold := s.lists(lists)
	in, err := decode.OpenLists([]string{kbest}, decode.InputOptions{Symbols: syms, Gold: gold, Context: ctx})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	return decode.NewReranking(ctx, m, syms, treescore.Options{}, s.workers, func(r *decode.Reranked) error {
		*scores = append(*scores, append([]float64(nil), r.Scores...))
		if all == nil {
			return nil
		}
		l := rerank.List{Name: r.Candidates[0].Name}
		for i, t := range r.Candidates {
			l.Trees = append(l.Trees, rerank.Tree{Base: t.Score, Counts: r.Counts[i]})
		}
		return all.Add(l, treescore.Oracle(all.Kind, r.Counts))
	}).Run(in)
}
