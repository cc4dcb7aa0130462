package builder

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/grow"
	"fstore/store"
)

// RebuildOptions say how Rebuild rebuilds a store; see Options.
type RebuildOptions struct {
	Options  store.Options
	Workers  int
	Memory   int64
	Progress index.Progress
	Event    store.Event // history entry, except the closing line
}

// Rebuilding is a new store that is built from the samples of an old store, and then replaces the old store.
// Symbols keep their ids, so that selections and models stay valid.
type Rebuilding struct {
	builder
	Old     *store.Store
	Without *roaring.Bitmap   // samples of Old that are left out
	Left    func(what string) // called for each thing that cannot be taken over; if nil, such a thing ends the run
}

// Rebuild replaces the store in dir, and returns the closing line for the history. It calls these functions
// in turn:
//   - begin: sets the exported fields of the Rebuilding
//   - carry: copies the selections and models of the old store
//   - say: returns the beginning of the closing line
func Rebuild(ctx context.Context, dir string, o RebuildOptions, begin, carry func(*Rebuilding) error, say func(*Rebuilding) string) (decided string, err error) {
	w, err := store.Begin(dir, store.WriteOptions{Options: o.Options, Mode: store.Overwrite})
	if err != nil {
		return "", err
	}
	defer w.Abort()
	b := Options{FS: o.Options.FS, Mode: store.Overwrite, Workers: o.Workers, Memory: o.Memory, Progress: o.Progress}
	b.setDefaults()
	r := &Rebuilding{builder: builder{Ctx: ctx, O: b, W: w, Meta: w.Meta(), budget: grow.NewBudget(0)}}
	r.O.Event = func() store.Event { return o.Event }
	r.O.Source = func(*index.Symbols) (index.Source, error) { return &remaining{r: r}, nil }
	defer func() {
		if r.Old != nil {
			err = errors.Join(err, r.Old.Close())
		}
	}()
	if err := begin(r); err != nil {
		return "", err
	}
	if err := r.inherit(); err != nil {
		return "", err
	}
	event, err := r.fill()
	if err == nil {
		err = carry(r)
	}
	if err != nil {
		return "", err
	}
	decided = say(r)
	if len(r.Meta.Spaces) > 0 {
		decided += "\n" + r.decided()
	}
	event.Decided = decided
	r.Meta.History = append(r.Meta.History, event)
	err = r.Old.Close()
	if r.Old = nil; err != nil {
		return "", err
	}
	return decided, r.end()
}

// inherit copies the data of the old store that do not follow from its trees.
func (r *Rebuilding) inherit() error {
	m := r.Old.Meta()
	r.Meta.Settings, r.Meta.History = m.Settings, slices.Clone(m.History)
	r.Syms = r.W.Symbols()
	from, err := r.Old.Symbols()
	if err != nil {
		return err
	}
	r.inheritSymbols(from)
	for i := range m.Spaces {
		info := &m.Spaces[i]
		req, err := spaces.Parse(info.ID)
		if err != nil {
			return &store.Error{Dir: r.Old.Dir(), Kind: store.ErrVersion, Err: err}
		}
		req.MinSupport, req.MaxOrder, req.Closed = &info.MinSupport, &info.MaxOrder, &info.Closed
		r.O.Spaces.Spaces = append(r.O.Spaces.Spaces, req)
	}
	return nil
}

// inheritSymbols adds all symbols to a new store, with the same ids.
func (b *builder) inheritSymbols(old *index.Symbols) {
	for c := range index.NumClasses {
		for id := 1; id <= old.Len(c); id++ {
			b.Syms.Intern(c, old.Bytes(c, uint32(id)))
		}
	}
}

// remaining is a source of those samples of the old store that the new store keeps.
type remaining struct {
	r     *Rebuilding
	next  uint32
	input func(sample uint32) string
}

// Where implements index.Placed. The old store knows only the names of inputs, no positions.
func (s *remaining) Where() (input string, sentence int) {
	if s.input == nil {
		s.input = s.r.Old.Meta().InputNames()
	}
	return s.input(s.next - 1), 0
}

func (s *remaining) Next(t *index.Tree) error {
	for s.next < s.r.Old.Meta().Samples {
		s.next++
		if id := s.next - 1; !s.r.Without.Contains(id) {
			return s.r.Old.Sample(id, t)
		}
	}
	return io.EOF
}
