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

// rebuildSelections takes over the selections: their fragments, scores and weights. Where all
// samples are there, what follows from them is counted again. Where not, the statistics
// stay those that chose the selection, of samples that are not the store's any more.
func rebuildSelections(r *builder.Rebuilding) error {
	for i := range r.Old.Meta().Selections {
		info := r.Old.Meta().Selections[i]
		err := rebuildSelection(r, &info)
		if errors.Is(err, store.ErrDamaged) && r.Left != nil {
			r.Left(fmt.Sprintf("selection %s is lost: %v%s", info.Name, err, madeBy(r, "selection "+info.Name+" ")))
			err = nil
		}
		if err != nil {
			return fmt.Errorf("selection %s: %w", info.Name, err)
		}
	}
	return nil
}

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

// carryOver takes over selections and models.
func carryOver(r *builder.Rebuilding) error {
	if err := rebuildSelections(r); err != nil {
		return err
	}
	return rebuildModels(r)
}

// rebuildModels takes over the models as they are.
func rebuildModels(r *builder.Rebuilding) error {
	for _, info := range r.Old.Meta().Models {
		b, err := r.Old.Model(info.Name)
		if errors.Is(err, store.ErrDamaged) && r.Left != nil {
			r.Left(fmt.Sprintf("model %s is lost: %v%s", info.Name, err, madeBy(r, "model "+info.Name+": ")))
			continue
		}
		if err == nil {
			err = r.W.PutModel(info, b)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// madeBy says how to make what is lost once more, where the history has a run that
// decided on it.
func madeBy(r *builder.Rebuilding, decided string) string {
	for _, e := range slices.Backward(r.Old.Meta().History) {
		if strings.HasPrefix(e.Decided, decided) {
			return "; make it again with: " + e.Command
		}
	}
	return ""
}
