package store

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/store/disk"
)

// osStore is a store on disk.
func osStore(t *testing.T, samples int) (parent, dir string) {
	t.Helper()
	parent = tempDir(t)
	dir = parent + "/db"
	if err := build(vfs.Default, dir, Create, samples, 5); err != nil {
		t.Fatal(err)
	}
	return parent, dir
}

// TestLinks: if a store's path is a link, the store is the directory that the link leads to, and the link
// stays.
func TestLinks(t *testing.T) {
	parent, dir := osStore(t, 3)
	link := parent + "/link"
	symlink(t, "db", link)
	for i, mode := range []Mode{Append, Overwrite, Append} {
		if err := build(vfs.Default, link, mode, 5+i, 5); err != nil {
			t.Fatal(err)
		}
		wantSamples(t, vfs.Default, dir, uint32(5+i))
		wantSamples(t, vfs.Default, link, uint32(5+i))
	}
	if to, err := os.Readlink(link); err != nil || to != "db" {
		t.Errorf("the link leads to %q, %v", to, err)
	}
	if names, err := os.ReadDir(parent); err != nil || len(names) != 2 {
		t.Errorf("left %v, %v", names, err)
	}
	nowhere := parent + "/nowhere"
	symlink(t, "absent", nowhere)
	for _, mode := range []Mode{Create, Append, Overwrite} {
		if _, err := Begin(nowhere, WriteOptions{Mode: mode}); !errors.Is(err, ErrNotStore) || !strings.Contains(err.Error(), "link to absent") {
			t.Errorf("mode %d: %v", mode, err)
		}
	}
	empty := parent + "/empty"
	if err := os.Mkdir(empty, 0o777); err != nil {
		t.Fatal(err)
	}
	symlink(t, "empty", parent+"/to-empty")
	w, err := Begin(parent+"/to-empty", WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Abort(); err != nil {
		t.Fatal(err)
	}
	if names, err := os.ReadDir(empty); err != nil || len(names) > 0 {
		t.Errorf("left %v, %v", names, err)
	}
}

func symlink(t *testing.T, to, name string) {
	t.Helper()
	err := os.Symlink(to, name)
	if info, serr := os.Lstat(name); err != nil || serr != nil || info.Mode()&iofs.ModeSymlink == 0 {
		t.Skip("no links here: ", err)
	}
}

// TestLinksInside: a writer never changes the file or directory that a link in a store leads to.
func TestLinksInside(t *testing.T) {
	for _, name := range []string{"load", "FSTORE.tmp", "UNFINISHED.tmp", "000099.sst", "temporary.000009.dbtmp", "load/"} {
		for _, o := range []WriteOptions{{Mode: Append}, {Mode: Overwrite}, {Mode: Append, Resume: true}, {Mode: Overwrite, Resume: true}} {
			parent, dir := osStore(t, 3)
			target := parent + "/other"
			if err := errors.Join(os.Mkdir(target, 0o777), os.WriteFile(target+"/000001.sst", []byte("precious"), 0o666)); err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(name, "load") {
				target += "/000001.sst"
			}
			at := dir + "/" + name
			if name == "load/" {
				if err := os.Mkdir(at, 0o777); err != nil {
					t.Fatal(err)
				}
				at += "kept-dir"
			}
			symlink(t, target, at)
			w, err := Begin(dir, o)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(addSamples(w, int(w.Meta().Samples), newSamples), w.Commit()); err != nil {
				t.Fatal(err)
			}
			wantSamples(t, vfs.Default, dir, newSamples)
			if b, err := os.ReadFile(parent + "/other/000001.sst"); err != nil || string(b) != "precious" {
				t.Errorf("%s, %+v: %q, %v", name, o, b, err)
			}
		}
	}
}

// TestOnlyRegularFiles: a file that is not regular, or is too large, is never opened or read.
func TestOnlyRegularFiles(t *testing.T) {
	_, sound := osStore(t, oldSamples)
	names := slices.Sorted(maps.Keys(dataFiles(t, sound)))
	names = append(names, sealName, lockName, writerLockName)
	for what, make := range map[string]func(path string) error{
		"fifo": mkfifo,
		"device": func(path string) error {
			if _, err := os.Stat("/dev/zero"); err != nil {
				return err
			}
			return os.Symlink("/dev/zero", path)
		},
		"sparse": func(path string) error {
			return errors.Join(os.WriteFile(path, nil, 0o666), os.Truncate(path, 20<<30))
		},
	} {
		for _, name := range names {
			if what == "sparse" && (isLockName(name) || disk.IsCopyName(name)) {
				continue
			}
			dir := tempDir(t) + "/db"
			if err := os.CopyFS(dir, os.DirFS(sound)); err != nil {
				t.Fatal(err)
			}
			path := dir + "/" + name
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := make(path); err != nil {
				t.Skip(err)
			}
			begun := time.Now()
			problems, _, err := checkStore(vfs.Default, dir)
			if said := fmt.Sprint(problems, err); len(problems) == 0 && err == nil && name != writerLockName || !strings.Contains(said, name) && name != writerLockName {
				t.Errorf("%s in the place of %s: %s", what, name, said)
			}
			for _, mode := range []Mode{Append, Overwrite} {
				w, err := Begin(dir, WriteOptions{Mode: mode})
				if err == nil && mode == Overwrite && !isLockName(name) {
					var s *Store
					if s, err = w.Salvage(func(error) {}); err == nil {
						err = s.Close()
					}
				}
				if err != nil && !errors.Is(err, ErrDamaged) {
					t.Errorf("%s in the place of %s, mode %d: %v", what, name, mode, err)
				}
				if w != nil {
					_ = w.Abort()
				}
			}
			if took := time.Since(begun); took > 30*time.Second {
				t.Errorf("%s in the place of %s: %v", what, name, took)
			}
		}
	}
}
