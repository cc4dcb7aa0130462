package store

import (
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/store/disk"
	"fstore/store/filetest"
)

// TestNames: the program knows the names of all files that a store is made of.
func TestNames(t *testing.T) {
	fs := vfs.NewMem()
	buildEverything(t, fs, "db")
	if names := (disk.Dir{FS: fs, Path: "db"}).Foreign(); len(names) > 0 {
		t.Errorf("foreign in a store: %q", names)
	}
}

// litter puts foreign files into the directory of a store.
func litter(t *testing.T, fs vfs.FS, dir string) (names []string) {
	t.Helper()
	if err := fs.MkdirAll(fs.PathJoin(dir, "sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	names = []string{"my notes.txt", ".DS_Store", "build.log", "sub/a"}
	for _, name := range names {
		filetest.Write(t, fs, fs.PathJoin(dir, name), []byte("precious"))
	}
	return names
}

func wantPrecious(t *testing.T, fs vfs.FS, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		if b := filetest.Read(t, fs, fs.PathJoin(dir, name)); string(b) != "precious" {
			t.Errorf("%s/%s: %q", dir, name, b)
		}
	}
}

// TestForeignFiles: foreign files are never sealed and never deleted.
func TestForeignFiles(t *testing.T) {
	fs := vfs.NewMem()
	buildEverything(t, fs, "db")
	names := litter(t, fs, "db")
	if err := build(fs, "db", Append, 40, 50); err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, fs, "db/.DS_Store", []byte("changed"))
	left := wantSound(t, fs, "db")
	if len(left) != 4 || !strings.Contains(strings.Join(left, "\n"), `"my notes.txt"`) {
		t.Errorf("%q", left)
	}
	filetest.Write(t, fs, "db/.DS_Store", []byte("precious"))
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

// fsOf returns a copy of dir at this moment.
func fsOf(t *testing.T, fs vfs.FS, dir string) *vfs.MemFS {
	t.Helper()
	clone := vfs.NewMem()
	if _, err := vfs.Clone(fs, clone, dir, dir); err != nil {
		t.Fatal(err)
	}
	return clone
}

// TestForeignFileInUnfinished: a build that is aborted does not delete foreign files in its directory, nor
// the directory.
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

// TestForeignFileInSeal: older seals named foreign files too.
func TestForeignFileInSeal(t *testing.T) {
	fs := vfs.NewMem()
	buildEverything(t, fs, "db")
	seal, _, _ := strings.Cut(string(filetest.Read(t, fs, "db/FSTORE")), "end ")
	filetest.Write(t, fs, "db/FSTORE", ended(seal+"my notes.txt 3 5\n.DS_Store 3 5\nold my notes.txt 3 1\n"))
	if left := wantSound(t, fs, "db"); len(left) > 0 {
		t.Errorf("%q", left)
	}
}
