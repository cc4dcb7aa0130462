package svm

import (
	"context"
	"fmt"
	"maps"

	"fstore/mine/learn/crossval"
	"fstore/store"
)

// PutKernelModel puts a kernel model into a store, and adds settings to those of the model. The caller must
// set the name, the learner and the fragments of the kernel in info.
func PutKernelModel(w *store.Writer, info store.ModelInfo, m *Model, settings ...map[string]string) error {
	info.Kernel, info.Settings = m.Space.ID(), m.Settings()
	for _, s := range settings {
		maps.Copy(info.Settings, s)
	}
	return w.PutModel(info, m.Append(nil))
}

// TrainPerFold trains a model for each fold on the other folds, and stores it under crossval.FoldName. It
// replaces the models of an earlier run. If any other model or selection has such a name, the error is
// store.ErrNameTaken. TrainPerFold returns settings for the model of all samples, and the number of support
// vectors by fold.
func TrainPerFold(ctx context.Context, w *store.Writer, name string, o Options, f crossval.Options, settings map[string]string) (wholeSettings map[string]string, vectors []int, err error) {
	if err := f.Check(); err != nil {
		return nil, nil, err
	}
	m := w.Meta()
	crossval.DropFolds(m, name)
	for fold := range f.Folds.Count() {
		part := crossval.FoldName(name, fold)
		if m.Model(part) != nil || m.Selection(part) != nil {
			return nil, nil, fmt.Errorf("%w: of fold %d would be %q", store.ErrNameTaken, fold+1, part)
		}
	}
	h, err := NewHoldOut(ctx, w.Store(), o)
	if err != nil {
		return nil, nil, err
	}
	for fold := range f.Folds.Count() {
		_, held := f.Folds.Split(fold)
		x, _, err := h.model(ctx, held)
		if err == nil {
			err = PutKernelModel(w, store.ModelInfo{Name: crossval.FoldName(name, fold), Learner: LearnerSVM}, x, settings, f.Part(name))
		}
		if err != nil {
			return nil, nil, fmt.Errorf("fold %d: %w", fold+1, err)
		}
		vectors = append(vectors, len(x.Vectors))
	}
	return f.Whole(), vectors, nil
}
