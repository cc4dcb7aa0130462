package look

import (
	"context"
	"errors"

	"fstore/cli/command"
	"fstore/decode/linearize"
	"fstore/mine/query"
	"fstore/mine/selection"
	"fstore/mine/vocabulary"
	"fstore/store"
)

// ErrNoCondition says that --where is empty, for example because a shell variable is not set.
var ErrNoCondition = errors.New("--where: an expression, such as 'support >= 10'")

// keepStored returns a loop over the stored fragments that satisfy the condition. It also says whether the
// condition counts labels.
func keepStored(ctx context.Context, env *command.Env, t *query.Table, condition, positive string, otherUse bool) (each func(func(*query.Row) error) error, labels bool, err error) {
	c := &QueryCommand{Where: condition, Positive: positive}
	l, err := c.newList(ctx, env, t, query.Filter{}, nil)
	if err == nil && !otherUse {
		err = l.checkPositive(positive)
	}
	if err != nil {
		return nil, false, err
	}
	return func(f func(*query.Row) error) error {
		err := l.each(ctx, env, f)
		env.Progress.Close()
		return err
	}, l.labels, nil
}

// Subset returns the fragments of a feature set that satisfy the condition.
func Subset(ctx context.Context, env *command.Env, s *store.Store, set linearize.FeatureSet, condition, positive string) (kept *vocabulary.Subset, err error) {
	syms, err := s.Symbols()
	if err != nil {
		return nil, err
	}
	if set.Selection == "" {
		t, err := query.Open(s, set.Space.ID())
		if err != nil {
			return nil, err
		}
		each, _, err := keepStored(ctx, env, t, condition, positive, false)
		if err != nil {
			return nil, err
		}
		kept = vocabulary.NewSubset(t.Info.Features)
		err = each(func(r *query.Row) error {
			kept.Add(r.ID, r.Code)
			return nil
		})
		if err != nil {
			return nil, err
		}
	} else {
		sel, err := query.OpenSelection(s, set.Selection)
		if err != nil {
			return nil, err
		}
		keep, err := keepWhere(ctx, sel, condition)
		if err != nil {
			return nil, err
		}
		kept = vocabulary.NewSubset(sel.Info.Features)
		err = sel.Each(ctx, func(e *query.Entry) error {
			ok, err := keep(e)
			if ok {
				kept.Add(e.ID, e.Code)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	kept.Finish(set.Space, syms)
	return kept, nil
}

// Derive makes a selection of the fragments for which condition is true.
func Derive(ctx context.Context, env *command.Env, w *store.Writer, o selection.DeriveOptions, condition, positive string) (decided string, err error) {
	o.Keep = func(sel *query.Selection) (func(*query.Entry) (bool, error), error) {
		return keepWhere(ctx, sel, condition)
	}
	o.KeepStored = func(t *query.Table) (func(func(*query.Row) error) error, bool, error) {
		return keepStored(ctx, env, t, condition, positive, o.Model != "") // the model may need --positive
	}
	return selection.Derive(ctx, w, o)
}
