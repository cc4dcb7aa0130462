package mine

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/store"
)

// changeStore commits what f does to the store s.
func changeStore(t *testing.T, fs vfs.FS, f func(*store.Writer) error) error {
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

func openStore(t *testing.T, fs vfs.FS) *store.Store {
	t.Helper()
	s, err := store.Open("s", store.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// addSelections selects in each space of a store: by chi2 where there are labels.
func addSelections(t *testing.T, fs vfs.FS) {
	t.Helper()
	s := openStore(t, fs)
	infos, by := s.Meta().Spaces, "support"
	if s.Meta().Labels > 0 {
		by = "chi2"
	}
	s.Close()
	for _, info := range infos {
		err := changeStore(t, fs, func(w *store.Writer) error {
			_, err := Select(context.Background(), w, SelectOptions{Name: "of " + info.ID, Space: info.ID, By: by, Top: 10})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Indexes made anew are, byte for byte, those that building and mining made, whether the
// files are there, damaged, or missing.
func TestReindex(t *testing.T) {
	fs := vfs.NewMem()
	build(t, fs, options(t, fs, 0, samples, "stk", "sstbow:closed", "ptk:max-order=3")).Close()
	addSelections(t, fs)
	s := openStore(t, fs)
	want := dump(t, s)
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
		s := openStore(t, fs)
		for _, f := range s.Meta().Files {
			if err := spoil[how](s.Path(f.Name)); err != nil {
				t.Fatal(err)
			}
		}
		s.Close()
		var decided string
		err := changeStore(t, fs, func(w *store.Writer) (err error) {
			decided, err = Reindex(context.Background(), w, index.NoProgress{})
			return err
		})
		if err != nil {
			t.Fatal(how, err)
		}
		if !strings.Contains(decided, "of stk, ") || !strings.Contains(decided, "10 fragments in selection of stk, ") {
			t.Errorf("%s: %s", how, decided)
		}
		s = openStore(t, fs)
		if d := cmp.Diff(want, dump(t, s)); d != "" {
			t.Errorf("%s: %s", how, d)
		}
		if p := verify(t, s, 0); len(p) > 0 {
			t.Errorf("%s: %v", how, p)
		}
		if err := s.Check(t.Context(), func(p string) { t.Error(how, p) }, func(p string) { t.Error(how, p) }); err != nil {
			t.Error(how, err)
		}
		s.Close()
	}
}

// Fragments that are not those of the record are not indexed, and the store stays.
func TestReindexRefusesDamage(t *testing.T) {
	fs := vfs.NewMem()
	build(t, fs, options(t, fs, 0, samples, "stk")).Close()
	forge(t, fs, func(e []entry) []entry { return e[1:] }, nil)
	err := changeStore(t, fs, func(w *store.Writer) error {
		_, err := Reindex(context.Background(), w, index.NoProgress{})
		return err
	})
	if !errors.Is(err, store.ErrDamaged) {
		t.Fatal(err)
	}
}
