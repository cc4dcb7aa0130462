package maintain_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/mine/internal/minetest"
	"fstore/mine/maintain"
	"fstore/store"
)

// Reindex makes the same indexes as building and mining did, byte for byte, whether the files are there,
// damaged or missing.
func TestReindex(t *testing.T) {
	fs := vfs.NewMem()
	minetest.Build(t, fs, minetest.Options(t, fs, 0, minetest.Samples, "stk", "sstbow:closed", "ptk:max-order=3")).Close()
	minetest.AddSelections(t, fs)
	s := minetest.OpenStore(t, fs)
	want := minetest.Dump(t, s)
	var files []string
	for _, f := range s.Meta().Files {
		files = append(files, s.Path(f.Name))
	}
	s.Close()
	if len(files) != 6 {
		t.Fatalf("files %v", files)
	}
	spoil := map[string]func(path string) error{
		"sound":   func(string) error { return nil },
		"missing": fs.Remove,
		"damaged": func(path string) error {
			f, err := fs.Create(path, vfs.WriteCategoryUnspecified)
			if err != nil {
				return err
			}
			_, err = f.Write([]byte("something else"))
			return errors.Join(err, f.Close())
		},
	}
	for _, how := range []string{"sound", "missing", "damaged"} {
		s := minetest.OpenStore(t, fs)
		for _, f := range s.Meta().Files {
			if err := spoil[how](s.Path(f.Name)); err != nil {
				t.Fatal(err)
			}
		}
		s.Close()
		var decided string
		err := minetest.ChangeStore(t, fs, func(w *store.Writer) (err error) {
			decided, err = maintain.Reindex(context.Background(), w, index.NoProgress{})
			return err
		})
		if err != nil {
			t.Fatal(how, err)
		}
		if !strings.Contains(decided, "of stk, ") || !strings.Contains(decided, "10 fragments in selection of stk, ") {
			t.Errorf("%s: %s", how, decided)
		}
		s = minetest.OpenStore(t, fs)
		if d := cmp.Diff(want, minetest.Dump(t, s)); d != "" {
			t.Errorf("%s: %s", how, d)
		}
		if p := minetest.Verify(t, s, 0); len(p) > 0 {
			t.Errorf("%s: %v", how, p)
		}
		if err := s.Check(t.Context(), func(p string) { t.Error(how, p) }, func(p string) { t.Error(how, p) }); err != nil {
			t.Error(how, err)
		}
		s.Close()
	}
}

// Fragments that do not agree with the store's record are not indexed, and the store stays as it is.
func TestReindexRefusesDamage(t *testing.T) {
	fs := vfs.NewMem()
	minetest.Build(t, fs, minetest.Options(t, fs, 0, minetest.Samples, "stk")).Close()
	forge(t, fs, func(e []entry) []entry { return e[1:] }, nil)
	err := minetest.ChangeStore(t, fs, func(w *store.Writer) error {
		_, err := maintain.Reindex(context.Background(), w, index.NoProgress{})
		return err
	})
	if !errors.Is(err, store.ErrDamaged) {
		t.Fatal(err)
	}
}
