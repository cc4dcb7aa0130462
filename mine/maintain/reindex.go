package maintain

import (
	"context"
	"fmt"
	"strings"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/mine/query"
	"fstore/mine/vocabulary"
	"fstore/store"
)

// Reindex makes the expansion index of every space and selection of w anew from the stored codes. It returns
// the line that says what was done. It returns ErrDamaged if the codes do not agree with the store's
// vocabulary hashes.
func Reindex(ctx context.Context, w *store.Writer, progress index.Progress) (decided string, err error) {
	m := w.Meta()
	var done []string
	for i := range m.Spaces {
		info := &m.Spaces[i]
		space, err := grow.SpaceOf(w.Store().Dir(), info)
		if err != nil {
			return "", err
		}
		progress.Step("index "+info.ID, "fragments", int64(info.Features))
		r := reindexing{ctx, w, progress, space, "space " + info.ID, info.Features, info.VocabularyHash}
		info.Expansion, err = r.run(func(f func(index.Code) error) error { return eachCode(w.Store(), info.Number, f) })
		if err != nil {
			return "", err
		}
		done = append(done, fmt.Sprintf("%s of %s", index.Plural(info.Features, "fragment"), info.ID))
	}
	for i := range m.Selections {
		info := &m.Selections[i]
		sel, err := query.OpenSelection(w.Store(), info.Name)
		if err != nil {
			return "", err
		}
		progress.Step("index "+info.Name, "fragments", int64(info.Features))
		r := reindexing{ctx, w, progress, sel.Space, "selection " + info.Name, info.Features, info.VocabularyHash}
		if info.Expansion, err = r.run(codesOf(ctx, sel)); err != nil {
			return "", err
		}
		done = append(done, fmt.Sprintf("%s in selection %s", index.Plural(info.Features, "fragment"), info.Name))
	}
	if done == nil {
		return "nothing to index: the store has no space", nil
	}
	return "indexed " + strings.Join(done, ", "), nil
}

// codesOf returns a function that calls its argument with every code of a selection, in ascending order.
func codesOf(ctx context.Context, sel *query.Selection) func(func(index.Code) error) error {
	return func(f func(index.Code) error) error {
		return sel.Each(ctx, func(e *query.Entry) error { return f(e.Code) })
	}
}

// eachCode calls f for the stored codes of a space, in ascending order.
func eachCode(s *store.Store, space uint32, f func(index.Code) error) error {
	it, err := s.Iter(space, nil, nil)
	if err != nil {
		return err
	}
	defer it.Close()
	for it.Next() {
		if err := f(it.Key()); err != nil {
			return err
		}
	}
	return it.Err()
}

type reindexing struct {
	ctx      context.Context
	w        *store.Writer
	progress index.Progress
	space    index.Space
	what     string
	features uint32 // expected number of fragments
	hash     uint64 // expected vocabulary hash
}

// run makes the expansion index of the codes, and returns the name of the index's file. putAll must call its
// argument with every code, in ascending order.
func (r *reindexing) run(putAll func(func(index.Code) error) error) (name string, err error) {
	x, err := vocabulary.NewExpansionWriter(r.w, r.space)
	if err != nil {
		return "", err
	}
	codes := index.NewCodeReader(r.space, r.w.Symbols())
	err = putAll(func(c index.Code) error {
		if x.Vocab.N&0xFFF == 0xFFF {
			r.progress.Add(0x1000)
			if err := r.ctx.Err(); err != nil {
				return err
			}
		}
		if err := codes.Read(c); err != nil {
			return r.damaged(err)
		}
		return x.Add(c)
	})
	if err == nil && (x.Vocab.N != uint64(r.features) || x.Vocab.Hash(r.space, r.w.Symbols()) != r.hash) {
		err = r.damaged(fmt.Errorf("%s, but the record of the index has %s",
			index.Plural(x.Vocab.N, "fragment"), index.Plural(r.features, "fragment")))
	}
	if err != nil {
		x.Abort()
		return "", err
	}
	return x.Finish()
}

// damaged returns the error for codes that contradict the store's record of them.
func (r *reindexing) damaged(err error) error {
	return &store.Error{Dir: r.w.Store().Dir(), Kind: store.ErrDamaged, Detail: r.what, Err: err}
}
