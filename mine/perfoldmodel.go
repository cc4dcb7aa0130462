package mine

import (
	"context"
	"fmt"
	"maps"

	"fstore/mine/crossval"
	"fstore/mine/svm"
	"fstore/store"
)

// PutKernelModel puts a support vector machine, or another model of a kernel, into a store;
// the settings are recorded beside those of the model. info has the name, the learner, and
// what the kernel runs over.
func PutKernelModel(w *store.Writer, info store.ModelInfo, m *svm.Model, settings ...map[string]string) error {
	info.Kernel, info.Settings = m.Space.ID(), m.Settings()
	for _, s := range settings {
		maps.Copy(info.Settings, s)
	}
	return w.PutModel(info, m.Append(nil))
}

// TrainPerFold trains support vector machines outside of each fold of the labelled samples
// of a store, and puts them into it under FoldName(name, 0) and so on, for SelectPerFold;
// settings are recorded in each, beside its own. It returns the settings that the model of all
// samples, of this name, has to have beside its own, and the number of vectors of each fold's
// model. Its own models of an earlier run are replaced; any other of such a name is an
// ErrNameTaken.
func TrainPerFold(ctx context.Context, w *store.Writer, name string, o svm.Options, f FoldOptions, settings map[string]string) (whole map[string]string, vectors []int, err error) {
	if err := f.check(); err != nil {
		return nil, nil, err
	}
	m := w.Meta()
	DropFolds(m, name)
	for fold := range f.Folds.Count() {
		part := FoldName(name, fold)
		if m.Model(part) != nil || m.Selection(part) != nil {
			return nil, nil, fmt.Errorf("%w: of fold %d would be %q", ErrNameTaken, fold+1, part)
		}
	}
	h, err := svm.NewHoldOut(ctx, w.Store(), o)
	if err != nil {
		return nil, nil, err
	}
	for fold := range f.Folds.Count() {
		_, held := f.Folds.Split(fold)
		x, err := h.Model(ctx, held)
		if err == nil {
			err = PutKernelModel(w, store.ModelInfo{Name: FoldName(name, fold), Learner: svm.LearnerSVM}, x, settings, f.part(name))
		}
		if err != nil {
			return nil, nil, fmt.Errorf("fold %d: %w", fold+1, err)
		}
		vectors = append(vectors, len(x.Vectors))
	}
	return f.whole(), vectors, nil
}

// trainedPerFold is an error where a model has not been trained per fold, in these.
func trainedPerFold(m *store.Meta, name string, folds crossval.Folds) error {
	info := m.Model(name)
	if info == nil {
		return nil // Select says so
	}
	trained, err := madePerFold(name, "trained", info.Settings, folds, func(name string) map[string]string {
		if x := m.Model(name); x != nil {
			return x.Settings
		}
		return nil
	})
	switch {
	case err != nil:
		return choiceErrorf("per fold: model %s %v", name, err)
	case !trained:
		return choiceErrorf("per fold: model %s was trained on all samples: train one per fold", name)
	}
	return nil
}
