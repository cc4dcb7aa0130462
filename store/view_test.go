package store

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"
)

// TestView: what a writer does to the files of a state that was there stays in its list.
func TestView(t *testing.T) {
	mem := memDir(t, "db", map[string][]byte{
		"000001.sst": []byte("1"), "000002.sst": []byte("2"), "OPTIONS-000003": nil, "000009.sst": nil, "notes": nil,
	})
	v := viewOf(mem, "db/", []sealedFile{{name: "000001.sst"}, {name: "000002.sst"}, {name: "OPTIONS-000003"}}, 10)
	wantList := func(want ...string) {
		t.Helper()
		got, err := v.List("db")
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%v\n%s", err, d)
		}
	}
	wantList("000001.sst", "000002.sst", "OPTIONS-000003", "000009.sst") // a number that is not to be given again
	create := func(name string) error {
		f, err := v.Create(name, vfs.WriteCategoryUnspecified)
		if err != nil {
			return err
		}
		return f.Close()
	}
	for _, c := range []struct {
		what      string
		err, want error
	}{
		{"create over", create("db/000001.sst"), fs.ErrExist},
		{"link over", v.Link("db/notes", "./db/000001.sst"), fs.ErrExist},
		{"rename over", v.Rename("db/notes", "db/000001.sst"), fs.ErrExist},
		{"rename away", v.Rename("db/000001.sst", "db/000017.sst"), fs.ErrPermission},
		{"remove", v.Remove("db/OPTIONS-000003"), nil},
		{"create below", create("db/000004.sst"), fs.ErrExist},
		{"create", create("db/000011.sst"), nil},
		{"link", v.Link("db/notes", "db/000012.sst"), nil},
		{"create more", create("db/000010.sst"), nil},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, want %v", c.what, c.err, c.want)
		}
	}
	if f, err := v.ReuseForWrite("db/000002.sst", "db/000013.sst", vfs.WriteCategoryUnspecified); err != nil || f.Close() != nil {
		t.Error(err)
	}
	if err := v.Remove("db/000010.sst"); err != nil {
		t.Error(err)
	}
	wantList("000001.sst", "000002.sst", "000011.sst", "000012.sst", "000013.sst", "000009.sst")
	v.end()
	if err := create("db/000014.sst"); !errors.Is(err, errEnded) {
		t.Errorf("after the end: %v", err)
	}
	names, _ := mem.List("db")
	slices.Sort(names)
	if d := cmp.Diff([]string{"000001.sst", "000002.sst", "000009.sst", "000011.sst", "000012.sst", "000013.sst", "OPTIONS-000003", "notes"}, names); d != "" {
		t.Errorf("left on disk (-want +got):\n%s", d)
	}
}

// TestKilledBesideReader: writers begin beside a reader, where a killed one left tables.
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
