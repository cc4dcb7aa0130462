package store

import (
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

func TestNames(t *testing.T) {
	for _, name := range []string{
		"000005.sst", "000002.log", "000002-001.log", "MANIFEST-000001", "OPTIONS-000003", "expansion-1-0",
		"marker.manifest.000001.MANIFEST-000001", "marker.format-version.000008.021",
	} {
		if !isDataName(name) || isForeign(name) {
			t.Errorf("%q is foreign", name)
		}
	}
	for _, name := range []string{lockName, sealName, markName, "FSTORE.tmp", "UNFINISHED.tmp", "FSTORE.new", loadName, "temporary.000007.dbtmp"} {
		if isDataName(name) || isForeign(name) {
			t.Errorf("%q is data or foreign", name)
		}
	}
	for _, name := range []string{
		"", ".DS_Store", "my notes.txt", "build.log", "a.sst", ".sst", "1 2.sst", "MANIFEST-", "OPTIONS-old",
		"expansion-", "expansion-a", "marker.x", "marker.a b.1.c", "000005.sst~", "CURRENT", "temporary.x.dbtmp",
	} {
		if isDataName(name) || !isForeign(name) {
			t.Errorf("%q is not foreign", name)
		}
	}
	fs := vfs.NewMem() // and what a store is made of is all known
	buildEverything(t, fs, "db")
	if names := foreign(fs, "db"); len(names) > 0 {
		t.Errorf("foreign in a store: %q", names)
	}
}

// litter puts files that are not the store's into its directory.
func litter(t *testing.T, fs vfs.FS, dir string) (names []string) {
	t.Helper()
	if err := fs.MkdirAll(fs.PathJoin(dir, "sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	names = []string{"my notes.txt", ".DS_Store", "build.log", "sub/a"}
	for _, name := range names {
		if err := writeFile(fs, fs.PathJoin(dir, name), []byte("precious")); err != nil {
			t.Fatal(err)
		}
	}
	return names
}

func wantPrecious(t *testing.T, fs vfs.FS, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		if b, err := readFile(fs, fs.PathJoin(dir, name)); err != nil || string(b) != "precious" {
			t.Errorf("%s/%s: %q, %v", dir, name, b, err)
		}
	}
}

// TestForeignFiles: files that are not the store's are never sealed and never
// deleted.
func TestForeignFiles(t *testing.T) {
	fs := vfs.NewMem()
	buildEverything(t, fs, "db")
	names := litter(t, fs, "db")
	if err := build(fs, "db", Append, 40, 50); err != nil {
		t.Fatal(err)
	}
	if err := writeFile(fs, "db/.DS_Store", []byte("changed")); err != nil {
		t.Fatal(err)
	}
	left := wantSound(t, fs, "db")
	if len(left) != 4 || !strings.Contains(strings.Join(left, "\n"), `"my notes.txt"`) {
		t.Errorf("%q", left)
	}
	if err := writeFile(fs, "db/.DS_Store", []byte("precious")); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []Mode{Overwrite, Append} {
		if err := build(fs, "db", mode, 50, 50); err != nil {
			t.Fatal(err)
		}
		wantPrecious(t, fs, "db", names...)
	}
	w, err := Begin("db", WriteOptions{Options: Options{FS: fs}, Mode: Append}) // a killed writer's
	if err != nil {
		t.Fatal(err)
	}
	if left := wantSound(t, fsOf(t, fs, "db"), "db"); len(left) < 5 {
		t.Errorf("%q", left)
	}
	if err := w.Abort(); err != nil {
		t.Fatal(err)
	}
	wantPrecious(t, fs, "db", names...)
}

// fsOf is a copy of dir as it is at this moment.
func fsOf(t *testing.T, fs vfs.FS, dir string) *vfs.MemFS {
	t.Helper()
	clone := vfs.NewMem()
	if _, err := vfs.Clone(fs, clone, dir, dir); err != nil {
		t.Fatal(err)
	}
	return clone
}

// TestForeignFileInUnfinished: nor does a build delete what somebody left where it is
// made, nor the directory with it.
func TestForeignFileInUnfinished(t *testing.T) {
	fs := vfs.NewMem()
	w, err := Begin("db", WriteOptions{Options: Options{FS: fs}, Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Abort(); err != nil {
		t.Fatal(err)
	}
	names := litter(t, fs, "db")
	beginAndAbort(t, fs, Create)
	wantPrecious(t, fs, "db", names...)
	if left, err := fs.List("db"); err != nil || len(left) != 4 {
		t.Errorf("left %q, %v", left, err)
	}
}

// TestForeignFileInSeal: seals once named whatever lay in the directory.
func TestForeignFileInSeal(t *testing.T) {
	fs := vfs.NewMem()
	buildEverything(t, fs, "db")
	s, err := readSeal(fs, "db")
	if err != nil {
		t.Fatal(err)
	}
	s.files = append(s.files, sealedFile{"my notes.txt", 3, 5}, sealedFile{".DS_Store", 3, 5})
	s.old = append(s.old, oldFile{"my notes.txt", 3, 1})
	if err := writeSeal(fs, "db", s); err != nil {
		t.Fatal(err)
	}
	if left := wantSound(t, fs, "db"); len(left) > 0 {
		t.Errorf("%q", left)
	}
}
