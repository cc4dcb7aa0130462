package metamorphic

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/store"
	"fstore/store/posting"
)

// differs returns an error that says how the store in dir differs from the model, or nil if it does not
// differ.
func (w *world) differs(fs vfs.FS, dir string, m *model) (err error) {
	s, err := store.Open(dir, store.Options{FS: fs})
	if m == nil && errors.Is(err, store.ErrNotStore) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if m == nil {
		return errors.New("there is a store")
	}
	if n := len(s.Meta().History); n != m.history {
		return fmt.Errorf("%d entries in the history, want %d", n, m.history)
	}
	c := &comparison{w, m, s}
	for _, step := range []func() error{c.samples, c.spaces, c.selections, c.models} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// comparison compares one store.
type comparison struct {
	w *world
	m *model
	s *store.Store
}

func (c *comparison) samples() error {
	syms, err := c.s.Symbols()
	if err != nil {
		return err
	}
	if n := c.s.Meta().Samples; int(n) != len(c.m.samples) {
		return fmt.Errorf("%d samples, want %d", n, len(c.m.samples))
	}
	with := map[string][]uint32{}
	input := c.s.Meta().InputNames()
	for id := range c.m.samples {
		want := &c.m.samples[id]
		var got index.Tree
		if err := c.s.Sample(uint32(id), &got); err != nil {
			return err
		}
		if got.Name != want.name || got.Label != want.label || input(uint32(id)) != want.input {
			return fmt.Errorf("sample %d: %q, label %q, of %s; want %q, %q, %s", id, got.Name, got.Label, input(uint32(id)), want.name, want.label, want.input)
		}
		if a, b := textOf(&got, syms), textOf(want.tree, c.w.syms); a != b {
			return fmt.Errorf("sample %d is %swant %s", id, a, b)
		}
		if want.label != "" {
			with[want.label] = append(with[want.label], uint32(id))
		}
	}
	bitmaps, err := c.s.LabelBitmaps()
	if err != nil {
		return err
	}
	if len(bitmaps) != len(with) {
		return fmt.Errorf("%d labels, want %d", len(bitmaps), len(with))
	}
	for label, ids := range with {
		if bm := bitmaps[label]; bm == nil || !slices.Equal(bm.ToArray(), ids) {
			return fmt.Errorf("label %s: %v, want %v", label, bm, ids)
		}
	}
	return nil
}

func (c *comparison) spaces() error {
	if n := len(c.s.Meta().Spaces); n != len(c.m.spaces) {
		return fmt.Errorf("%d spaces, want %d", n, len(c.m.spaces))
	}
	for i := range c.m.spaces {
		if err := c.space(uint32(i)); err != nil {
			return fmt.Errorf("space %s: %w", c.m.spaces[i].arg, err)
		}
	}
	return nil
}

// space compares the fragments, their posting lists and their ids.
func (c *comparison) space(number uint32) error {
	info, kind := c.s.Meta().Spaces[number], c.m.spaces[number]
	syms, err := c.s.Symbols()
	if err != nil {
		return err
	}
	req, err := spaces.Parse(info.ID)
	if err != nil {
		return err
	}
	want := c.w.fragments(c.m, kind.spaceKind, kind.limits)
	it, err := c.s.Iter(number, nil, nil)
	if err != nil {
		return err
	}
	defer it.Close()
	id := uint32(0)
	seen := map[string]bool{}
	for it.Next() {
		id++
		key := kind.keyOf(string(req.Space.AppendText(nil, it.Key(), syms)))
		r := want[key]
		if r == nil || seen[key] {
			return fmt.Errorf("%s is stored, and should not be, or twice", key)
		}
		seen[key] = true
		ids, counts, err := posting.Decode(it.Value(), c.s.Meta().Samples, nil, nil)
		if err != nil {
			return err
		}
		for len(counts) < len(ids) {
			counts = append(counts, 1)
		}
		if !slices.Equal(ids, r.samples) || !slices.Equal(counts, r.counts) || index.Code(it.Key()).Len() != r.order {
			return fmt.Errorf("%s: %v %v, order %d, want %+v", key, ids, counts, index.Code(it.Key()).Len(), *r)
		}
		if id%7 == 1 {
			got, err := c.s.Rank(number, it.Key())
			if err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
			if got != id {
				return fmt.Errorf("%s: id %d, want %d", key, got, id)
			}
		}
	}
	if err := it.Err(); err != nil {
		return err
	}
	if int(id) != len(want) || info.Features != id {
		return fmt.Errorf("%d fragments, %d in the record, want %d", id, info.Features, len(want))
	}
	return nil
}

func (c *comparison) selections() error {
	if n := len(c.s.Meta().Selections); n != len(c.m.selections) {
		return fmt.Errorf("%d selections, want %d", n, len(c.m.selections))
	}
	for name, want := range c.m.selections {
		if err := c.selection(name, want); err != nil {
			return fmt.Errorf("selection %s: %w", name, err)
		}
	}
	return nil
}

func (c *comparison) selection(name string, want *selection) error {
	info := c.s.Meta().Selection(name)
	if info == nil {
		return errors.New("missing")
	}
	syms, err := c.s.Symbols()
	if err != nil {
		return err
	}
	req, err := spaces.Parse(c.s.Meta().Spaces[info.Space].ID)
	if err != nil {
		return err
	}
	if int(info.Space) != want.space {
		return fmt.Errorf("of space %d, want %d", info.Space, want.space)
	}
	kind := c.m.spaces[info.Space]
	got := map[string]entry{}
	err = c.s.Entries(name, 1, info.Features+1, func(_ uint32, e *store.Entry) error {
		key := kind.keyOf(string(req.Space.AppendText(nil, e.Code, syms)))
		got[key] = entry{e.Code.Len(), e.Score, e.Weight, slices.Clone(e.Stats)}
		return nil
	})
	if err != nil {
		return err
	}
	if want.entries != nil {
		if !maps.EqualFunc(got, want.entries, entry.equal) || !slices.Equal(info.Columns, want.columns) {
			return fmt.Errorf("%v %v, want %v %v", info.Columns, got, want.columns, want.entries)
		}
		return nil
	}
	if err := want.check(got); err != nil {
		return err
	}
	want.entries, want.columns = got, info.Columns
	return nil
}

func (c *comparison) models() error {
	if n := len(c.s.Meta().Models); n != len(c.m.trained) {
		return fmt.Errorf("%d models, want %d", n, len(c.m.trained))
	}
	for name, want := range c.m.trained {
		if c.s.Meta().Model(name) == nil {
			return fmt.Errorf("no model %s", name)
		}
		got, err := c.s.Model(name)
		if err != nil {
			return err
		}
		if want.bytes != nil && !bytes.Equal(got, want.bytes) {
			return fmt.Errorf("model %s has changed", name)
		}
		want.bytes = got
	}
	return nil
}

// dump returns the keys and values of all spaces.
func dump(fs vfs.FS, dir string) (all []string, err error) {
	s, err := store.Open(dir, store.Options{FS: fs})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	for _, info := range s.Meta().Spaces {
		all = append(all, fmt.Sprintf("%s %v %v %v %x", info.ID, info.Fragments, info.Candidates, info.Below, info.VocabularyHash))
		it, err := s.Iter(info.Number, nil, nil)
		if err != nil {
			return nil, err
		}
		for it.Next() {
			all = append(all, fmt.Sprintf("%x %x", []byte(it.Key()), it.Value()))
		}
		if err := errors.Join(it.Err(), it.Close()); err != nil {
			return nil, err
		}
	}
	return all, nil
}
