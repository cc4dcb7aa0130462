package selection

import (
	"context"
	"fmt"
	"maps"

	"fstore/index"
	"fstore/mine/learn/crossval"
	"fstore/store"
)

// ForPeople returns the settings of a selection or a model, without the hashes of folds and left-out samples.
func ForPeople(settings map[string]string) map[string]string {
	said := maps.Clone(settings)
	delete(said, crossval.DealtSetting)
	delete(said, withoutSetting)
	return said
}

// RunPerFold selects once from all samples, and once for each fold from the samples outside the fold. So a
// test on a fold can use a selection that has not seen the fold (SI05, §5). Relevance uses the models of
// TrainPerFold. The result foldSizes has the number of selected fragments of each fold.
func RunPerFold(ctx context.Context, w *store.Writer, o Options, f crossval.Options) (done *Result, foldSizes []uint64, err error) {
	if err := f.Check(); err != nil {
		return nil, nil, err
	}
	if err := CheckName(w.Meta(), o.Name, o.Overwrite); err != nil {
		return nil, nil, err
	}
	relevant := o.By == ByRelevance
	if relevant {
		if err := trainedPerFold(w.Meta(), o.Model, f.Folds); err != nil {
			return nil, nil, err
		}
	}
	crossval.DropFolds(w.Meta(), o.Name) // an earlier run may have had more folds
	for fold := range f.Folds.Count() {
		part := o
		part.Name, part.settings = crossval.FoldName(o.Name, fold), f.Part(o.Name)
		if relevant {
			part.Model = crossval.FoldName(o.Model, fold)
		} else {
			part.Without = f.In(fold)
		}
		found, err := Run(ctx, w, part)
		if err != nil {
			return nil, nil, fmt.Errorf("fold %d: %w", fold+1, err)
		}
		foldSizes = append(foldSizes, found.Fragments)
	}
	o.settings = f.Whole()
	done, err = Run(ctx, w, o)
	return done, foldSizes, err
}

// MinedPerFold says whether a selection of the store was mined per fold. It is an error if the selection was
// mined with other folds, or if a fold's selection is from another run.
func MinedPerFold(m *store.Meta, sel *store.SelectionInfo, folds crossval.Folds) (bool, error) {
	return crossval.MadePerFold(sel.Name, "mined", sel.Settings, folds, func(name string) map[string]string {
		if s := m.Selection(name); s != nil {
			return s.Settings
		}
		return nil
	})
}

// trainedPerFold returns an error if a model was not trained per fold, or was trained with other folds.
func trainedPerFold(m *store.Meta, name string, folds crossval.Folds) error {
	info := m.Model(name)
	if info == nil {
		return nil // Run reports this
	}
	trained, err := crossval.MadePerFold(name, "trained", info.Settings, folds, func(name string) map[string]string {
		if x := m.Model(name); x != nil {
			return x.Settings
		}
		return nil
	})
	switch {
	case err != nil:
		return index.Usagef("per fold: model %s %v", name, err)
	case !trained:
		return index.Usagef("per fold: model %s was trained on all samples: train one per fold", name)
	}
	return nil
}
