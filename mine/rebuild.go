package mine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/query"
	"fstore/store"
)

// RebuildOptions are how Remove and Repair make a store anew; see Options.
type RebuildOptions struct {
	Options  store.Options
	Workers  int
	Memory   int64
	Progress index.Progress
	Event    store.Event // the entry of the history, but for what was decided
}

// rebuild makes a store anew from the samples of the one that is there, and puts it in
// its place in one step. Symbols keep their ids, also those that no sample has any more:
// so a fragment keeps its code, and selections and models keep what they refer to.
type rebuild struct {
	builder
	old     *store.Store
	keep    func(id uint32) bool // nil: all samples
	left    func(what string)    // told of what cannot be taken over; nil where that ends the run
	samples uint32               // of old, that were left out
}

// beginRebuild begins the replacement of the store in dir.
func beginRebuild(ctx context.Context, dir string, o RebuildOptions) (*rebuild, error) {
	w, err := store.Begin(dir, store.WriteOptions{Options: o.Options, Mode: store.Overwrite})
	if err != nil {
		return nil, err
	}
	b := Options{FS: o.Options.FS, Mode: store.Overwrite, Workers: o.Workers, Memory: o.Memory, Progress: o.Progress}
	b.setDefaults()
	r := &rebuild{builder: builder{ctx: ctx, o: b, w: w, meta: w.Meta(), budget: newBudget(0)}}
	r.o.Event = func() store.Event { return o.Event }
	r.o.Source = func(*index.Symbols) (index.Source, error) { return &remaining{r: r}, nil }
	return r, nil
}

// run makes the new store out of r.old, and commits it. say makes the line of the
// history.
func (r *rebuild) run(say func() string) (err error) {
	defer func() {
		if r.old != nil {
			err = errors.Join(err, r.old.Close())
		}
	}()
	if err := r.inherit(); err != nil {
		return err
	}
	event, err := r.fill()
	if err != nil {
		return err
	}
	if err := r.selections(); err != nil {
		return err
	}
	if err := r.models(); err != nil {
		return err
	}
	event.Decided = say()
	r.meta.History = append(r.meta.History, event)
	err = r.old.Close()
	if r.old = nil; err != nil {
		return err
	}
	if err := r.ctx.Err(); err != nil {
		return err
	}
	return r.w.CommitUntil(r.ctx)
}

// inherit takes over what does not follow from the trees.
func (r *rebuild) inherit() error {
	m := r.old.Meta()
	r.meta.Settings, r.meta.History = m.Settings, slices.Clone(m.History)
	r.syms = r.w.Symbols()
	from, err := r.old.Symbols()
	if err != nil {
		return err
	}
	for c := range index.NumClasses {
		for id := 1; id <= from.Len(c); id++ {
			r.syms.Intern(c, from.Bytes(c, uint32(id)))
		}
	}
	for i := range m.Spaces {
		info := &m.Spaces[i]
		req, err := spaces.Parse(info.ID)
		if err != nil {
			return &store.Error{Dir: r.old.Dir(), Kind: store.ErrVersion, Err: err}
		}
		req.MinSupport, req.MaxOrder, req.Closed = &info.MinSupport, &info.MaxOrder, &info.Closed
		r.o.Spaces.Spaces = append(r.o.Spaces.Spaces, req)
	}
	return nil
}

// remaining is the samples that are kept, as a source.
type remaining struct {
	r     *rebuild
	next  uint32
	input func(sample uint32) string
}

// Where implements placed: inputs are known by name only.
func (s *remaining) Where() (input string, sentence int) {
	if s.input == nil {
		s.input = s.r.old.Meta().InputNames()
	}
	return s.input(s.next - 1), 0
}

// Next is index.Source's.
func (s *remaining) Next(t *index.Tree) error {
	for r := s.r; s.next < r.old.Meta().Samples; r.samples++ {
		s.next++
		if id := s.next - 1; r.keep == nil || r.keep(id) {
			return r.old.Sample(id, t)
		}
	}
	return io.EOF
}

// selections takes over the selections: their fragments, scores and weights. Where all
// samples are there, what follows from them is counted again. Where not, the statistics
// stay those that chose the selection, of samples that are not the store's any more.
func (r *rebuild) selections() error {
	for i := range r.old.Meta().Selections {
		info := r.old.Meta().Selections[i]
		err := r.selection(&info)
		if errors.Is(err, store.ErrDamaged) && r.left != nil {
			r.left(fmt.Sprintf("selection %s is lost: %v%s", info.Name, err, r.again("selection "+info.Name+" ")))
			err = nil
		}
		if err != nil {
			return fmt.Errorf("selection %s: %w", info.Name, err)
		}
	}
	return nil
}

func (r *rebuild) selection(info *store.SelectionInfo) error {
	sel, err := query.OpenSelection(r.old, info.Name)
	if err != nil {
		return err
	}
	counts, err := newSelectionCounts(r.ctx, sel, r.syms)
	if err != nil {
		return err
	}
	recount := r.samples == 0 && counts.samples > 0
	if r.samples > 0 {
		info.Settings = maps.Clone(info.Settings)
		delete(info.Settings, query.SamplesSetting)
	}
	if recount {
		x, err := expansionOf(sel.Space, r.syms, func(f func(index.Code) error) error {
			return sel.Each(r.ctx, func(e *query.Entry) error { return f(e.Code) })
		})
		if err != nil {
			return err
		}
		if err := counts.count(r.ctx, r.w.Store(), x, r.o.Workers, r.o.Progress); err != nil {
			return err
		}
	}
	return writeEntries(r.ctx, r.w, sel.Space, *info, func(put func(*store.Entry) error) error {
		return sel.Each(r.ctx, func(e *query.Entry) error {
			if recount {
				counts.set(e)
			}
			return put(&store.Entry{Code: e.Code, Score: e.Score, Weight: e.Weight, Stats: e.Stats})
		})
	})
}

// models takes over the models as they are.
func (r *rebuild) models() error {
	for _, info := range r.old.Meta().Models {
		b, err := r.old.Model(info.Name)
		if errors.Is(err, store.ErrDamaged) && r.left != nil {
			r.left(fmt.Sprintf("model %s is lost: %v%s", info.Name, err, r.again("model "+info.Name+": ")))
			continue
		}
		if err == nil {
			err = r.w.PutModel(info, b)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// again says how to make what is lost once more, where the history has a run that
// decided on it.
func (r *rebuild) again(decided string) string {
	history := r.old.Meta().History
	for i := len(history) - 1; i >= 0; i-- {
		if strings.HasPrefix(history[i].Decided, decided) {
			return "; make it again with: " + history[i].Command
		}
	}
	return ""
}
