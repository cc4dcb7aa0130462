package cli

import (
	"context"
	"errors"

	"fstore/decode"
	"fstore/mine"
	"fstore/mine/query"
	"fstore/store"
)

// errNoCondition says that a condition was left out, as an unset variable of a shell is.
var errNoCondition = errors.New("--where: an expression, such as 'support >= 10'")

// keepStored returns what calls its argument for the stored fragments for which an expression
// holds, over the columns of query but those of --model, and whether it has labels in it;
// positive is query's --positive.
func keepStored(ctx context.Context, env *Env, t *query.Table, condition, positive string) (each func(func(*query.Row) error) error, labels bool, err error) {
	c := &queryCommand{Where: condition, Positive: positive, Limit: 1}
	l, err := c.newList(ctx, env, t, query.Filter{}, nil)
	if err != nil {
		return nil, false, err
	}
	return func(f func(*query.Row) error) error {
		err := l.each(ctx, env, f)
		env.Progress.Close()
		return errors.Join(err, l.sorter.Close())
	}, l.labels, nil
}

// subset is the fragments of a feature set for which an expression holds.
func subset(ctx context.Context, env *Env, s *store.Store, set decode.FeatureSet, condition, positive string) (kept *mine.Subset, err error) {
	syms, err := s.Symbols()
	if err != nil {
		return nil, err
	}
	if set.Selection == "" {
		t, err := query.Open(s, set.Space.ID())
		if err != nil {
			return nil, err
		}
		each, _, err := keepStored(ctx, env, t, condition, positive)
		if err != nil {
			return nil, err
		}
		kept = mine.NewSubset(t.Info.Features)
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
		keep, err := keepWhere(sel, condition)
		if err != nil {
			return nil, err
		}
		kept = mine.NewSubset(sel.Info.Features)
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

// derive makes a selection of the fragments for which an expression holds.
func derive(ctx context.Context, env *Env, w *store.Writer, o mine.DeriveOptions, condition, positive string) (decided string, err error) {
	o.Keep = func(sel *query.Selection) (func(*query.Entry) (bool, error), error) {
		return keepWhere(sel, condition)
	}
	o.KeepStored = func(t *query.Table) (func(func(*query.Row) error) error, bool, error) {
		return keepStored(ctx, env, t, condition, positive)
	}
	return mine.Derive(ctx, w, o)
}
