// Package query reads the statistics of stored fragments: support, occurrences and counts by label. It finds
// the parts and expansions of a fragment, and the closure of a fragment that a closed store leaves out. It
// also reads the entries of selections. Start at Table.
package query

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/store"
	"fstore/store/posting"
)

// ErrWhichSpace says that one space must be named because the store has several, or that the store has none.
var ErrWhichSpace = index.Usagef("which space?")

// ErrNoSpace says that the store does not have the named space.
var ErrNoSpace = index.Usagef("no such space in the store")

// SpaceOf finds a space of a store by its ID. A name with some of the options, or without options, is enough
// if only one space fits. If the store has only one space, the name can be "".
func SpaceOf(s *store.Store, name string) (index.Space, *store.SpaceInfo, error) {
	ids := s.Meta().SpaceIDs()
	named := ids
	switch {
	case name != "":
		req, err := spaces.Parse(name)
		if err != nil {
			return nil, nil, fmt.Errorf("%w: %w", ErrNoSpace, err)
		}
		if named = spaces.Named(name, ids); len(named) == 0 {
			return nil, nil, fmt.Errorf("%w: %s: it has %s", ErrNoSpace, req.Space.ID(), strings.Join(ids, ", "))
		}
	case len(ids) == 0:
		return nil, nil, fmt.Errorf("%w: the store has no fragments, only samples", ErrWhichSpace)
	}
	if len(named) > 1 {
		return nil, nil, fmt.Errorf("%w: the store has %s: name one with --space", ErrWhichSpace, strings.Join(named, ", "))
	}
	req, err := spaces.Parse(named[0])
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrNoSpace, err)
	}
	return req.Space, s.Meta().Space(named[0]), nil
}

// Row is one stored fragment. A Table reuses one Row.
type Row struct {
	ID                   uint32 // feature id
	Code                 index.Code
	Order                int
	Support, Occurrences uint32
	ByLabel              []uint32 // by label of Table.Labels: the number of samples with the label; nil before CountLabels

	posting []byte
}

// Table gives access to the fragments of one space of a store. It is for one goroutine.
type Table struct {
	Space  index.Space
	Info   *store.SpaceInfo
	Labels []string // in byte order
	// With LateOrder, rows have no Order until ReadOrder or SetOrder sets it. This saves half the time of a
	// listing.
	LateOrder bool

	s       *store.Store
	syms    *index.Symbols
	codes   index.CodeReader
	labelOf []int32            // by sample: 1 + the index of its first label in Labels, or 0 without a label
	more    map[uint32][]int32 // by sample: its further labels
	ids     []uint32
	row     Row
}

// Open opens the table of a space. SpaceOf finds the space by its name.
func Open(s *store.Store, space string) (*Table, error) {
	sp, info, err := SpaceOf(s, space)
	if err != nil {
		return nil, err
	}
	t, err := OpenSamples(s)
	if err != nil {
		return nil, err
	}
	t.Space, t.Info = sp, info
	t.codes = index.NewCodeReader(sp, t.syms)
	return t, nil
}

// OpenSamples opens a table without fragments, only with labels and samples. Its Space and Info are nil.
func OpenSamples(s *store.Store) (t *Table, err error) {
	t = &Table{s: s}
	if t.syms, err = s.Symbols(); err != nil {
		return nil, err
	}
	t.Labels, err = s.Labels()
	return t, err
}

// Symbols returns the symbols of the store.
func (t *Table) Symbols() *index.Symbols { return t.syms }

// Store returns the store that the table reads.
func (t *Table) Store() *store.Store { return t.s }

// Text appends the text of a code. It is fastest if codes ascend from call to call.
func (t *Table) Text(dst []byte, c index.Code) []byte {
	if bytes.Equal(c, t.codes.Code()) || t.codes.Read(c) == nil {
		return t.codes.AppendText(dst)
	}
	return t.Space.AppendText(dst, c, t.syms)
}

// lookEvery is how many rows are read between two checks of the context.
const lookEvery = 4096

// Each calls f for every fragment in code order. To get Row.ByLabel, f calls CountLabels.
func (t *Table) Each(ctx context.Context, f func(*Row) error) error {
	return t.scan(ctx, nil, nil, nil, f)
}

// scan calls f for the fragments with lo ≤ code < hi for which isWanted returns true. lo, hi and isWanted can
// be nil.
func (t *Table) scan(ctx context.Context, lo, hi index.Code, isWanted func(index.Code, []byte) (bool, error), f func(*Row) error) error {
	it, err := t.s.Iter(t.Info.Number, lo, hi)
	if err != nil {
		return err
	}
	defer it.Close()
	id := uint32(0)
	for n := 0; it.Next(); n++ {
		if n%lookEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if id++; n == 0 && lo != nil {
			if id, err = t.s.Rank(t.Info.Number, it.Key()); err != nil {
				return err
			}
		}
		if isWanted != nil {
			if ok, err := isWanted(it.Key(), it.Value()); err != nil {
				return err
			} else if !ok {
				continue
			}
		}
		if err := t.fill(&t.row, it.Key(), it.Value(), id); err != nil {
			return err
		}
		if err := f(&t.row); err != nil {
			return err
		}
	}
	return it.Err()
}

// ReadLoaded sets r to the loaded fragment with this id, but without an order. SetOrder or ReadOrder sets the
// order.
func (t *Table) ReadLoaded(r *Row, all *store.Loaded, id uint32) error {
	code, list := all.At(id)
	return t.setRow(r, code, list, id)
}

// setRow sets r. It sets Order to 0, and leaves ByLabel as it is.
func (t *Table) setRow(r *Row, c index.Code, list []byte, id uint32) (err error) {
	r.ID, r.Code, r.Order, r.posting = id, c, 0, list
	r.Support, r.Occurrences, err = posting.Header(list)
	return t.damaged(err)
}

// fill sets r. Unless LateOrder is set, it also sets Order and checks the code.
func (t *Table) fill(r *Row, c index.Code, value []byte, id uint32) error {
	if err := t.setRow(r, c, value, id); err != nil || t.LateOrder {
		return err
	}
	return t.ReadOrder(r)
}

// SetOrder sets the Order of a row. It checks only the steps of the code. ReadOrder also checks the names.
func (t *Table) SetOrder(r *Row) error {
	for rest, ok := r.Code, true; len(rest) > 0; {
		if _, rest, ok = rest.Next(); !ok {
			return t.ReadOrder(r) // which returns the right error
		}
	}
	r.Order = r.Code.Len()
	return nil
}

// ReadOrder sets the Order of a row. Afterwards, Text is fastest for this row.
func (t *Table) ReadOrder(r *Row) error {
	err := t.codes.Read(r.Code)
	r.Order = t.codes.Order()
	return t.damaged(err)
}

// IDs appends the samples of r, ascending. r must be the row that was read last.
func (t *Table) IDs(r *Row, ids []uint32) ([]uint32, error) {
	ids, err := posting.IDs(r.posting, t.s.Meta().Samples, ids)
	return ids, t.damaged(err)
}

// Occurrences appends the samples of r to ids, ascending, and the occurrences in each sample to counts. r
// must be the row that was read last.
func (t *Table) Occurrences(r *Row, ids, counts []uint32) (_, _ []uint32, err error) {
	ids, counts, err = posting.Decode(r.posting, t.s.Meta().Samples, ids, counts)
	return ids, counts, t.damaged(err)
}

// HasPlaces reports whether the store has the places that WithPlaces needs.
func (t *Table) HasPlaces() bool { return t.Info.HasPlaces(t.Space) }

// WithPlaces is like Occurrences, but also appends the number of places in each sample. A place is a node at
// which occurrences begin.
func (t *Table) WithPlaces(r *Row, ids, counts, places []uint32) (_, _, _ []uint32, err error) {
	ids, counts, places, err = posting.DecodePlaces(r.posting, t.s.Meta().Samples, ids, counts, places)
	return ids, counts, places, t.damaged(err)
}

// Posting returns the posting list of a row as it is stored. The row must be the last row of Each, or come
// from ReadLoaded. Fragments with equal samples, occurrences and places have equal bytes.
func (r *Row) Posting() []byte { return r.posting }

// damaged wraps err as an error of a damaged store. It returns nil for nil.
func (t *Table) damaged(err error) error {
	if err == nil {
		return nil
	}
	return &store.Error{Dir: t.s.Dir(), Kind: store.ErrDamaged, Detail: "space " + t.Info.ID, Err: err}
}

// Get returns one fragment with its counts by label, or store.ErrNotFound. The row belongs to the caller.
func (t *Table) Get(c index.Code) (*Row, error) {
	v, err := t.s.Get(t.Info.Number, c)
	if err != nil {
		return nil, err
	}
	id, err := t.s.Rank(t.Info.Number, c)
	if err != nil {
		return nil, err
	}
	r := &Row{}
	if err := t.fill(r, bytes.Clone(c), v, id); err != nil {
		return nil, err
	}
	return r, t.CountLabels(r)
}

// Samples returns the samples of a fragment, ascending, and its occurrences in each.
func (t *Table) Samples(c index.Code) (ids, counts []uint32, err error) {
	v, err := t.s.Get(t.Info.Number, c)
	if err != nil {
		return nil, nil, err
	}
	return t.Occurrences(&Row{posting: v}, nil, nil)
}

// EachOf calls f for the samples with a label, ascending.
func (t *Table) EachOf(label string, f func(id uint32)) error {
	bm, err := t.s.LabelBitmap(label)
	if err != nil {
		return err
	}
	n := t.s.Meta().Samples
	for it := bm.Iterator(); it.HasNext(); {
		id := it.Next()
		if id >= n {
			return &store.Error{Dir: t.s.Dir(), Kind: store.ErrDamaged, Detail: fmt.Sprintf("label %q names sample %d of %d", label, id, n)}
		}
		f(id)
	}
	return nil
}

// loadLabels reads the labels of all samples at its first call. Later calls do nothing.
func (t *Table) loadLabels() error {
	if t.labelOf != nil {
		return nil
	}
	of := make([]int32, t.s.Meta().Samples)
	t.more = map[uint32][]int32{}
	for k, label := range t.Labels {
		err := t.EachOf(label, func(id uint32) {
			if of[id] == 0 {
				of[id] = int32(k + 1)
			} else {
				t.more[id] = append(t.more[id], int32(k))
			}
		})
		if err != nil {
			return err
		}
	}
	t.labelOf = of
	return nil
}

// CountLabels sets r.ByLabel. The row r must be the one that was read last.
func (t *Table) CountLabels(r *Row) (err error) {
	if len(t.Labels) == 0 {
		return nil
	}
	if err := t.loadLabels(); err != nil {
		return err
	}
	r.ByLabel = append(r.ByLabel[:0], make([]uint32, len(t.Labels))...)
	if t.ids, err = posting.IDs(r.posting, t.s.Meta().Samples, t.ids[:0]); err != nil {
		return t.damaged(err)
	}
	for _, id := range t.ids {
		k := t.labelOf[id]
		if k == 0 {
			continue
		}
		r.ByLabel[k-1]++
		if len(t.more) > 0 {
			for _, k := range t.more[id] {
				r.ByLabel[k]++
			}
		}
	}
	return nil
}
