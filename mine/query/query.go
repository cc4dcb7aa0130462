// Package query reads the statistics of stored fragments: every fragment with its
// support, occurrences and numbers by label, one fragment's parts and expansions,
// and the closure of one that a closed store leaves out; and the entries of selections.
package query

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/store"
	"fstore/store/posting"
)

// ErrWhichSpace says that a store has several spaces, or none, and one must be named.
var ErrWhichSpace = index.Usagef("which space?")

// ErrNoSpace says that the store has not indexed the space that was named.
var ErrNoSpace = index.Usagef("no such space in the store")

// SpaceOf finds a space of a store: by an ID, by a name with some or no options where the
// store has one such space only, or by "" where it has one at all.
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

// Row is one stored fragment. A Table reuses it.
type Row struct {
	ID                   uint32 // feature id
	Code                 index.Code
	Order                int
	Support, Occurrences uint32
	ByLabel              []uint32 // samples with each of Table.Labels; nil where not asked for

	posting []byte
}

// Table is the fragments of one space of a store. It is for one goroutine.
type Table struct {
	Space  index.Space
	Info   *store.SpaceInfo
	Labels []string // in byte order
	// LateOrder leaves out Row.Order in rows that are listed: ReadOrder sets it. To read all codes takes
	// as long as all else.
	LateOrder bool

	s       *store.Store
	syms    *index.Symbols
	codes   index.CodeReader
	labelOf []int32            // of each sample: 1 + its place in Labels; 0 none
	more    map[uint32][]int32 // further labels
	ids     []uint32
	row     Row
}

// Open opens the table of a space, see SpaceOf.
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

// OpenSamples opens a table without fragments, of labels and samples alone: its Space and Info are
// nil.
func OpenSamples(s *store.Store) (t *Table, err error) {
	t = &Table{s: s}
	if t.syms, err = s.Symbols(); err != nil {
		return nil, err
	}
	t.Labels, err = s.Labels()
	return t, err
}

// Symbols are those of the store.
func (t *Table) Symbols() *index.Symbols { return t.syms }

// Store is the store.
func (t *Table) Store() *store.Store { return t.s }

// Text appends the text of a code. It is fastest for that of the row given last, or read last by
// ReadOrder, and for codes that ascend.
func (t *Table) Text(dst []byte, c index.Code) []byte {
	if bytes.Equal(c, t.codes.Code()) || t.codes.Read(c) == nil {
		return t.codes.AppendText(dst)
	}
	return t.Space.AppendText(dst, c, t.syms)
}

// lookEvery is how many rows are read between two looks at a context.
const lookEvery = 4096

// Each calls f for every fragment in code order. f can ask for Row.ByLabel, see CountLabels.
func (t *Table) Each(ctx context.Context, f func(*Row) error) error {
	return t.scan(ctx, nil, nil, nil, f)
}

// scan is Each of the fragments with lo ≤ code < hi (nil: no bound) that keep says yes to, by code and
// posting list; nil is all.
func (t *Table) scan(ctx context.Context, lo, hi index.Code, keep func(index.Code, []byte) (bool, error), f func(*Row) error) error {
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
		if keep != nil {
			if ok, err := keep(it.Key(), it.Value()); err != nil {
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

// ReadLoaded sets r to the fragment of an id, which all has. Its Order is 0: SetOrder and ReadOrder set
// that.
func (t *Table) ReadLoaded(r *Row, all *store.Loaded, id uint32) error {
	code, list := all.At(id)
	return t.set(r, code, list, id)
}

// set sets r but for Order and ByLabel. The code and the list come from the store.
func (t *Table) set(r *Row, c index.Code, list []byte, id uint32) (err error) {
	r.ID, r.Code, r.Order, r.posting = id, c, 0, list
	r.Support, r.Occurrences, err = posting.Header(list)
	return t.damaged(err)
}

// fill sets r; c and value come from the store, and are checked.
func (t *Table) fill(r *Row, c index.Code, value []byte, id uint32) error {
	if err := t.set(r, c, value, id); err != nil || t.LateOrder {
		return err
	}
	return t.ReadOrder(r)
}

// SetOrder sets Order of a row that has just been given by its steps alone: ReadOrder also checks the
// names.
func (t *Table) SetOrder(r *Row) error {
	for rest, ok := r.Code, true; len(rest) > 0; {
		if _, rest, ok = rest.Next(); !ok {
			return t.ReadOrder(r) // says what is wrong
		}
	}
	r.Order = r.Code.Len()
	return nil
}

// ReadOrder sets Order of a row that has just been given. Text is fastest after it.
func (t *Table) ReadOrder(r *Row) error {
	err := t.codes.Read(r.Code)
	r.Order = t.codes.Order()
	return t.damaged(err)
}

// IDs appends the samples of a row that Each has just given, ascending.
func (t *Table) IDs(r *Row, ids []uint32) ([]uint32, error) {
	ids, err := posting.IDs(r.posting, t.s.Meta().Samples, ids)
	return ids, t.damaged(err)
}

// Occurrences appends the samples of a row that Each has just given, ascending, to
// ids and the occurrences in each to counts.
func (t *Table) Occurrences(r *Row, ids, counts []uint32) (_, _ []uint32, err error) {
	ids, counts, err = posting.Decode(r.posting, t.s.Meta().Samples, ids, counts)
	return ids, counts, t.damaged(err)
}

// HasPlaces says whether the store tells the places of fragments.
func (t *Table) HasPlaces() bool { return t.Info.HasPlaces(t.Space) }

// WithPlaces is Occurrences that also appends the places in each sample to places: the distinct
// nodes at which occurrences begin.
func (t *Table) WithPlaces(r *Row, ids, counts, places []uint32) (_, _, _ []uint32, err error) {
	ids, counts, places, err = posting.DecodePlaces(r.posting, t.s.Meta().Samples, ids, counts, places)
	return ids, counts, places, t.damaged(err)
}

// Posting is the posting list of a row that Each has just given, or ReadLoaded at any time, as it is
// stored: fragments have the same bytes where they occur in the same samples, in each as often.
func (r *Row) Posting() []byte { return r.posting }

// damaged says that what the store has of the space is damaged, as err tells; nil stays nil.
func (t *Table) damaged(err error) error {
	if err == nil {
		return nil
	}
	return &store.Error{Dir: t.s.Dir(), Kind: store.ErrDamaged, Detail: "space " + t.Info.ID, Err: err}
}

// Get returns one fragment with its numbers by label, store.ErrNotFound where it
// is not stored. The row is the caller's.
func (t *Table) Get(c index.Code) (*Row, error) {
	r, err := t.get(c)
	if err != nil {
		return nil, err
	}
	return r, t.CountLabels(r)
}

// get is Get without the numbers by label.
func (t *Table) get(c index.Code) (*Row, error) {
	v, err := t.s.Get(t.Info.Number, c)
	if err != nil {
		return nil, err
	}
	id, err := t.s.Rank(t.Info.Number, c)
	if err != nil {
		return nil, err
	}
	r := &Row{}
	return r, t.fill(r, bytes.Clone(c), v, id)
}

// Samples returns the samples of a fragment, ascending, and the occurrences in each.
func (t *Table) Samples(c index.Code) (ids, counts []uint32, err error) {
	v, err := t.s.Get(t.Info.Number, c)
	if err != nil {
		return nil, nil, err
	}
	return t.Occurrences(&Row{posting: v}, nil, nil)
}

// Parts returns the stored fragments one order down that c contains.
func (t *Table) Parts(c index.Code) (rows []*Row, err error) {
	for _, p := range t.Space.Parts(nil, c, t.syms) {
		r, err := t.Get(p)
		switch {
		case errors.Is(err, store.ErrNotFound):
		case err != nil:
			return nil, err
		default:
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// Expansions returns the stored fragments that have c as a part, and its first step: in a tree space, those
// with the same root. It reads all stored fragments with that step.
func (t *Table) Expansions(ctx context.Context, c index.Code) (rows []*Row, err error) {
	order, most := c.Len(), uint32(math.MaxUint32)
	if v, err := t.s.Get(t.Info.Number, c); err == nil { // each of its samples with an expansion has c
		if most, _, err = posting.Header(v); err != nil {
			return nil, t.damaged(err)
		}
	}
	lo, hi := firstStepRange(c)
	var parts []index.Code
	err = t.scan(ctx, lo, hi, nil, func(r *Row) error {
		if r.Order <= order || r.Support > most {
			return nil
		}
		parts = t.Space.Parts(parts[:0], r.Code, t.syms)
		for _, p := range parts {
			if bytes.Equal(p, c) {
				err := t.CountLabels(r)
				rows = append(rows, r.clone())
				return err
			}
		}
		return nil
	})
	return rows, err
}

func (r *Row) clone() *Row {
	c := *r
	c.Code, c.ByLabel, c.posting = bytes.Clone(r.Code), append([]uint32(nil), r.ByLabel...), nil
	return &c
}

// firstStepRange is the codes that begin with c's first step.
func firstStepRange(c index.Code) (lo, hi index.Code) {
	_, rest, _ := c.Next()
	lo = c[:len(c)-len(rest)]
	return lo, lo.PrefixEnd()
}

// Closure returns the stored fragment with the same root occurrences as c, which a store of closed fragments
// leaves out. It is store.ErrNotFound if c is below the support, or its closure above the order.
func (t *Table) Closure(ctx context.Context, c index.Code) (*Row, error) {
	covering, ok := t.Space.(index.Covering)
	if !ok || !t.Info.Closed {
		return nil, store.ErrNotFound
	}
	var best *Row
	lo, hi := firstStepRange(c)
	err := t.scan(ctx, lo, hi, nil, func(r *Row) (err error) {
		if (best == nil || r.Occurrences > best.Occurrences) && covering.Covers(r.Code, c, t.syms) {
			err = t.CountLabels(r)
			best = r.clone()
		}
		return err
	})
	if err == nil && best == nil {
		err = store.ErrNotFound
	}
	return best, err
}
