package minetest

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/mine/builder"
	"fstore/mine/exchange"
	"fstore/mine/query"
	"fstore/mine/selection"
	"fstore/store"
	"fstore/store/filetest"
)

// Change changes the store "s".
func Change(t *testing.T, fs vfs.FS, f func(*store.Writer) error) {
	t.Helper()
	w, err := store.Begin("s", store.WriteOptions{Options: store.Options{FS: fs}, Mode: store.Append})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if err := f(w); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
}

// Reading opens the store "s" for f.
func Reading(t *testing.T, fs vfs.FS, f func(*store.Store)) {
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

// DumpSelection is everything that a selection holds, with its expansion index.
func DumpSelection(t *testing.T, s *store.Store, name string) string {
	t.Helper()
	var out bytes.Buffer
	if err := exchange.Export(context.Background(), s, name, &out); err != nil {
		t.Fatal(err)
	}
	x := filetest.Read(t, s.FS(), s.Path(s.Meta().Selection(name).Expansion))
	return fmt.Sprintf("%s%x", out.String(), x)
}

// NewLabelled makes the store "s" of n random trees, half of them labelled.
func NewLabelled(t *testing.T, fs vfs.FS, n int, args ...string) {
	t.Helper()
	if _, err := builder.Run(context.Background(), "s", Options(t, fs, 0, n, args...)); err != nil {
		t.Fatal(err)
	}
}

// Spoil makes the selection "right" another, in whose third entry f changes something.
func Spoil(t *testing.T, fs vfs.FS, name string, f func(e *store.Entry)) {
	t.Helper()
	Change(t, fs, func(w *store.Writer) error {
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
