package maintain

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fstore/mine/builder"
	"fstore/mine/query"
	"fstore/mine/selection"
	"fstore/store"
)

// carryOver takes over the selections and models of the old store.
func carryOver(r *builder.Rebuilding) error {
	for _, info := range r.Old.Meta().Selections {
		if err := orLost(r, "selection "+info.Name, " ", rebuildSelection(r, &info)); err != nil {
			return err
		}
	}
	for _, info := range r.Old.Meta().Models {
		b, err := r.Old.Model(info.Name)
		if err == nil {
			err = r.W.PutModel(info, b) // an error of the new store is no damage of the old one
		} else {
			err = orLost(r, "model "+info.Name, ": ", err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// orLost reports damage to r.Left, if that is set. It returns all other errors.
func orLost(r *builder.Rebuilding, what, decides string, err error) error {
	switch {
	case err == nil:
		return nil
	case !errors.Is(err, store.ErrDamaged) || r.Left == nil:
		return fmt.Errorf("%s: %w", what, err)
	}
	again := ""
	for _, e := range slices.Backward(r.Old.Meta().History) {
		if strings.HasPrefix(e.Decided, what+decides) {
			again = "; make it again with: " + e.Command
			break
		}
	}
	r.Left(fmt.Sprintf("%s is lost: %v%s", what, err, again))
	return nil
}

// rebuildSelection takes over the fragments and statistics of a selection. If no sample was removed, it
// counts again the statistics that selection.SelectionCounts can count.
func rebuildSelection(r *builder.Rebuilding, info *store.SelectionInfo) error {
	sel, err := query.OpenSelection(r.Old, info.Name)
	if err != nil {
		return err
	}
	counts, err := selection.NewSelectionCounts(r.Ctx, sel, r.Syms)
	if err != nil {
		return err
	}
	recount := r.Without.IsEmpty() && counts.Samples > 0
	if !r.Without.IsEmpty() {
		info.Settings = maps.Clone(info.Settings)
		delete(info.Settings, query.SamplesSetting)
	}
	if recount {
		x, err := selection.ExpansionOf(sel.Space, r.Syms, codesOf(r.Ctx, sel))
		if err != nil {
			return err
		}
		if err := counts.Count(r.Ctx, r.W.Store(), x, r.O.Workers, r.O.Progress); err != nil {
			return err
		}
	}
	return selection.WriteEntries(r.Ctx, r.W, sel.Space, *info, func(put func(*store.Entry) error) error {
		return sel.Each(r.Ctx, func(e *query.Entry) error {
			if recount {
				counts.Set(e)
			}
			return put(&store.Entry{Code: e.Code, Score: e.Score, Weight: e.Weight, Stats: e.Stats})
		})
	})
}
