package minetest

import (
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

// Change is ChangeStore of what succeeds.
func Change(t *testing.T, fs vfs.FS, f func(*store.Writer) error) {
	t.Helper()
	if err := ChangeStore(t, fs, f); err != nil {
		t.Fatal(err)
	}
}

func OpenStore(t testing.TB, fs vfs.FS) *store.Store {
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
		if _, err := SelectIn(t, fs, selection.Options{Name: "of " + info.ID, Space: info.ID, By: by, Top: 10}); err != nil {
			t.Fatal(err)
		}
	}
}
