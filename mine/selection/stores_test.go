package selection_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/mine/builder"
	"fstore/mine/exchange"
	"fstore/mine/grow"
	"fstore/mine/internal/minetest"
	"fstore/mine/query"
	"fstore/mine/selection"
	"fstore/store"
	"fstore/store/filetest"
)

// reading opens the store "s" for f.
func reading(t *testing.T, fs vfs.FS, f func(*store.Store)) {
	t.Helper()
	s, err := store.Open("s", store.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	f(s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// dumpSelection is everything that a selection holds, with its expansion index.
func dumpSelection(t *testing.T, s *store.Store, name string) string {
	t.Helper()
	var out bytes.Buffer
	if err := exchange.Export(context.Background(), s, name, &out); err != nil {
		t.Fatal(err)
	}
	x := filetest.Read(t, s.FS(), s.Path(s.Meta().Selection(name).Expansion))
	return fmt.Sprintf("%s%x", out.String(), x)
}

// newLabelled makes the store "s" of n random trees, half of them labelled.
func newLabelled(t *testing.T, fs vfs.FS, n int, args ...string) {
	t.Helper()
	if _, err := builder.Run(context.Background(), "s", minetest.Options(t, fs, 0, n, args...)); err != nil {
		t.Fatal(err)
	}
}

// spoil replaces the selection "right" by a copy in which f has changed the third entry.
func spoil(t *testing.T, fs vfs.FS, name string, f func(e *store.Entry)) {
	t.Helper()
	minetest.Change(t, fs, func(w *store.Writer) error {
		from, err := query.OpenSelection(w.Store(), "right")
		if err != nil {
			return err
		}
		info := *from.Info
		info.Name = name
		return selection.WriteEntries(context.Background(), w, from.Space, info, func(put func(*store.Entry) error) error {
			return from.Each(context.Background(), func(e *query.Entry) error {
				x := store.Entry{Code: e.Code, Score: e.Score, Weight: e.Weight, Stats: e.Stats}
				if e.ID == 3 {
					f(&x)
				}
				return put(&x)
			})
		})
	})
}

// some is a source without some samples of another source.
type some struct {
	index.Source
	without map[int]bool
	single  bool // the first label of each
	n       int
}

func (s *some) Next(t *index.Tree) error {
	for {
		err := s.Source.Next(t)
		s.n++
		if err != nil || !s.without[s.n-1] {
			if s.single {
				t.Label, _, _ = strings.Cut(t.Label, ",")
			}
			return err
		}
	}
}

// storeWithout makes the store of random labelled trees without some of the trees.
func storeWithout(t *testing.T, kind index.Kind, seed uint64, without map[int]bool, single bool) (vfs.FS, *store.Store) {
	o := minetest.Options(t, vfs.NewMem(), 0, 0, minetest.SpacesOf(t, kind, "min-support=1,max-order=2")...)
	o.Source = func(s *index.Symbols) (index.Source, error) {
		var trees index.Source = minetest.NewSource(s, seed, 0, 12)
		if kind == index.Dependency {
			from := int(seed) * 12
			trees = &minetest.DependencySource{S: s, At: from, End: from + 12}
		}
		return &some{&minetest.Labelled{Source: trees, Rand: rand.New(rand.NewPCG(seed, 3))}, without, single, 0}, nil
	}
	return o.FS, minetest.Build(t, o.FS, o)
}

// printEntries is entries as text.
func printEntries(s *store.Store, info *store.SpaceInfo, all []store.Entry) string {
	space, err := grow.SpaceOf(s.Dir(), info)
	if err != nil {
		return err.Error()
	}
	syms, err := s.Symbols()
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for _, e := range all {
		fmt.Fprintf(&b, "%s %v %v %v\n", space.AppendText(nil, e.Code, syms), e.Score, e.Weight, e.Stats)
	}
	return b.String()
}
