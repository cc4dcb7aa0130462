package selection

import (
	"context"
	"errors"
	"slices"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/mine/judge"
	"fstore/mine/learn/crossval"
	"fstore/mine/vocabulary"
	"fstore/store"
)

// explainTop counts p.Saw again with the final threshold. The first counts depend on the order of visits.
func (r *run) explainTop(p *judge.Pass) error {
	p.Saw = nil
	if !r.o.Explain {
		return nil
	}
	again := judge.NewPass(p.By, p.Limits, &judge.Threshold{Least: p.At.Now()}, grow.NewBudget(0))
	err := r.From.Run(again, judge.CountOnly)
	p.Saw = again.Saw
	return err
}

// collect finds the entries to select and writes them.
func (r *run) collect(p *judge.Pass, info store.SelectionInfo) (err error) {
	var kept func(put func(*store.Entry) error) error
	switch {
	case r.o.Greedy:
		p.Saw.Add(r.saw)
		kept = eachOf(r.found)
	case r.w == nil || r.o.Top > 0:
		if err := r.From.Run(p, judge.CountOnly); err != nil {
			return err
		}
		slices.SortFunc(p.At.Best, func(a, b store.Entry) int { return slices.Compare(a.Code, b.Code) })
		kept = eachOf(p.At.Best)
	default:
		parts, err := judge.NewParts(r.w, p, info)
		if err != nil {
			return err
		}
		if err := parts.Run(r.ctx, r.From); err != nil {
			return err
		}
		kept = func(put func(*store.Entry) error) error {
			if r.smallest != nil {
				put = r.smallest.filter(put)
			}
			for _, f := range parts.Files {
				if err := f.Each(put); err != nil {
					return err
				}
			}
			return nil
		}
	}
	r.measure(p)
	if r.w == nil {
		return nil
	}
	return WriteEntries(r.ctx, r.w, r.From.Space, info, kept)
}

func eachOf(all []store.Entry) func(put func(*store.Entry) error) error {
	return func(put func(*store.Entry) error) error {
		for i := range all {
			if err := put(&all[i]); err != nil {
				return err
			}
		}
		return nil
	}
}

// WriteAll writes a selection with these entries, whose codes must ascend.
func WriteAll(ctx context.Context, w *store.Writer, space index.Space, info store.SelectionInfo, all []store.Entry) error {
	return WriteEntries(ctx, w, space, info, eachOf(all))
}

// WriteEntries writes a selection. The function `putAll` must call put for every entry, in code order. Old
// fold selections are removed unless the new selection was mined per fold. After an error, the writer must be
// aborted.
func WriteEntries(ctx context.Context, w *store.Writer, space index.Space, info store.SelectionInfo, putAll func(put func(*store.Entry) error) error) error {
	if info.Settings[crossval.FoldsSetting] == "" {
		crossval.DropFolds(w.Meta(), info.Name)
	}
	x, err := vocabulary.NewExpansionWriter(w, space)
	if err != nil {
		return err
	}
	sel, err := w.Select(info)
	if err != nil {
		x.Abort()
		return err
	}
	n := 0
	err = putAll(func(e *store.Entry) error {
		if n++; n&0xFFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		return errors.Join(x.Add(e.Code), sel.Put(e))
	})
	if err != nil {
		x.Abort()
		return err
	}
	written := sel.Info()
	if written.Expansion, err = x.Finish(); err != nil {
		return err
	}
	written.VocabularyHash = x.Vocab.Hash(space, w.Symbols())
	return sel.Close()
}
