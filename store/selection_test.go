package store

import (
	"errors"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"
)

func TestSelectionsAndModels(t *testing.T) {
	fs := vfs.NewMem()
	buildEverything(t, fs, "db")
	big := make([]byte, 3*partBytes+5)
	for i := range big {
		big[i] = byte(i / 7)
	}
	w, err := Begin("db", WriteOptions{Options: Options{FS: fs}, Mode: Append})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	sel, err := w.Select(SelectionInfo{Name: "new", Columns: []string{"a", "b"}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		if err := sel.Put(&Entry{Code: testCode(i), Score: 1.5, Weight: -2, Stats: []float64{float64(i), 0}}); err != nil {
			t.Fatal(err)
		}
	}
	sel.Info().VocabularyHash = 7
	if err := errors.Join(sel.Close(), w.PutModel(ModelInfo{Name: "big"}, big), w.PutModel(ModelInfo{Name: "model"}, nil), w.Commit()); err != nil {
		t.Fatal(err)
	}
	if left := wantSound(t, fs, "db"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	s, err := Open("db", Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if info := s.Meta().Selection("new"); info.Features != 40 || info.VocabularyHash != 7 {
		t.Errorf("%+v", info)
	}
	next := uint32(10)
	err = s.Entries("new", 10, 20, func(id uint32, e *Entry) error {
		want := &Entry{Code: testCode(int(id) - 1), Score: 1.5, Weight: -2, Stats: []float64{float64(id - 1), 0}}
		if d := cmp.Diff(want, e); d != "" || id != next {
			t.Errorf("entry %d, want %d:\n%s", id, next, d)
		}
		next++
		return nil
	})
	if err != nil || next != 20 {
		t.Error(next, err)
	}
	if b, err := s.Model("big"); err != nil || string(b) != string(big) {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	if b, err := s.Model("model"); err != nil || len(b) != 0 {
		t.Errorf("%q, %v", b, err)
	}
	if _, err := s.Model("absent"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}
