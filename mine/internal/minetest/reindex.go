package minetest

import (
	"context"
	"errors"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/mine/selection"
	"fstore/store"
)

// ChangeStore commits what f does to the store s.
func ChangeStore(t *testing.T, fs vfs.FS, f func(*store.Writer) error) error {
	t.Helper()
	w, err := store.Begin("s", store.WriteOptions{Options: store.Options{FS: fs}, Mode: store.Append})
	if err != nil {
		t.Fatal(err)
	}
	if err := f(w); err != nil {
		return errors.Join(err, w.Abort())
	}
	return w.Commit()
}

func OpenStore(t *testing.T, fs vfs.FS) *store.Store {
	t.Helper()
	s, err := store.Open("s", store.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// AddSelections selects in each space of a store: by chi2 where there are labels.
func AddSelections(t *testing.T, fs vfs.FS) {
	t.Helper()
	s := OpenStore(t, fs)
	infos, by := s.Meta().Spaces, "support"
	if s.Meta().Labels > 0 {
		by = "chi2"
	}
	s.Close()
	for _, info := range infos {
		err := ChangeStore(t, fs, func(w *store.Writer) error {
			_, err := selection.Run(context.Background(), w, selection.Options{Name: "of " + info.ID, Space: info.ID, By: by, Top: 10})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
