package store

import (
	"errors"
	"os"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"
)

// TestKilledBesideReader: a killed writer has left tables, and new writers begin while a reader is open. The
// reader's store must stay as it was.
func TestKilledBesideReader(t *testing.T) {
	whole, dir := tempDir(t)+"/whole", tempDir(t)+"/db"
	if err := build(vfs.Default, whole, Create, 20, 100); err != nil {
		t.Fatal(err)
	}
	w, err := Begin(whole, WriteOptions{Mode: Append})
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(addSamples(w, 20, 30), addFragments(w, 0, 500, 1), os.CopyFS(dir, os.DirFS(whole)), w.Abort())
	if err != nil {
		t.Fatal(err)
	}
	want := contents(t, vfs.Default, dir)
	s, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for samples := 30; samples < 34; samples++ {
		if err := build(vfs.Default, dir, Append, samples, 200); err != nil {
			t.Fatal(err)
		}
		if left := wantSound(t, vfs.Default, dir); len(left) == 0 {
			t.Error("nothing is left for the reader")
		}
	}
	if d := cmp.Diff(want, contentsOf(t, s)); d != "" {
		t.Errorf("the reader sees another store (-before +now):\n%s", d)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := build(vfs.Default, dir, Append, 35, 100); err != nil {
		t.Fatal(err)
	}
	if left := wantSound(t, vfs.Default, dir); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}
