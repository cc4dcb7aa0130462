package disk

import (
	"errors"
	"io/fs"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"fstore/store/filetest"
)

// TestView: a writer can remove an older file only from its view. The file stays on disk.
func TestView(t *testing.T) {
	mem := vfs.NewMem()
	if err := mem.MkdirAll("db", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"000001.sst", "000002.sst", "OPTIONS-000003", "000009.sst", "notes"} {
		filetest.Write(t, mem, "db/"+name, []byte(name))
	}
	v := Dir{mem, "db/"}.viewOf([]File{{Name: "000001.sst"}, {Name: "000002.sst"}, {Name: "OPTIONS-000003"}}, 10)
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
