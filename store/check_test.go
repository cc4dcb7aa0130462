package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"
	"github.com/zeebo/xxh3"

	"fstore/index"
	"fstore/store/disk"
	"fstore/store/filetest"
)

// dirFiles reads the files of a directory.
func dirFiles(t testing.TB, fs vfs.FS, dir string) map[string][]byte {
	t.Helper()
	names, err := fs.List(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, name := range names {
		if info, err := fs.Stat(fs.PathJoin(dir, name)); err != nil || info.IsDir() {
			continue
		}
		files[name] = filetest.Read(t, fs, fs.PathJoin(dir, name))
	}
	return files
}

// memDir returns a file system with these files in dir.
func memDir(t testing.TB, dir string, files map[string][]byte) *vfs.MemFS {
	t.Helper()
	fs := vfs.NewMem()
	if err := fs.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, b := range files {
		filetest.Write(t, fs, fs.PathJoin(dir, name), append([]byte(nil), b...))
	}
	return fs
}

// checkStore opens and checks a store.
func checkStore(fs vfs.FS, dir string) (problems, leftovers []string, err error) {
	s, err := Open(dir, Options{FS: fs})
	if err != nil {
		return nil, nil, err
	}
	err = s.Check(context.Background(),
		func(p string) { problems = append(problems, p) },
		func(l string) { leftovers = append(leftovers, l) })
	return problems, leftovers, errors.Join(err, s.Close())
}

// wantSound fails if a store is damaged.
func wantSound(t testing.TB, fs vfs.FS, dir string) (leftovers []string) {
	t.Helper()
	problems, leftovers, err := checkStore(fs, dir)
	if err != nil || len(problems) > 0 {
		t.Fatalf("%s: %v\n%s", dir, err, strings.Join(problems, "\n"))
	}
	return leftovers
}

// buildEverything makes a store with data of each kind.
func buildEverything(t testing.TB, fs vfs.FS, dir string) {
	t.Helper()
	w, err := Begin(dir, WriteOptions{Options: Options{FS: fs}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if err := addSamples(w, 0, 30); err != nil {
		t.Fatal(err)
	}
	if err := addFragments(w, 0, 40, 2); err != nil {
		t.Fatal(err)
	}
	sel, err := w.Select(SelectionInfo{Name: "sel", By: "chi2", Columns: []string{"chi2"}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		if err := sel.Put(&Entry{Code: testCode(3 * i), Score: float64(i), Stats: []float64{0.5}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := sel.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.PutModel(ModelInfo{Name: "model"}, []byte("weights")); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
}

// TestCheckFindsFlips flips bits in every file, one at a time. Opening or checking must find each flip.
func TestCheckFindsFlips(t *testing.T) {
	fs := vfs.NewMem()
	buildEverything(t, fs, "db")
	sealed := dirFiles(t, fs, "db")
	step := 19
	if testing.Short() {
		step = 151
	}
	for name, b := range sealed {
		for i := range b {
			if i%step != len(name)%step && i < len(b)-70 {
				continue // but every byte of a footer
			}
			b[i] ^= 1 << (i % 8)
			if err := foundDamage(t, sealed); err != nil {
				t.Errorf("%s, byte %d of %d: %v", name, i, len(b), err)
			}
			b[i] ^= 1 << (i % 8)
		}
	}
	t.Run("files missing", func(t *testing.T) {
		for name, b := range sealed {
			if isLockName(name) || name == sealName {
				continue
			}
			delete(sealed, name)
			if err := foundDamage(t, sealed); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			sealed[name] = b[:len(b)/2]
			if err := foundDamage(t, sealed); err != nil && len(b) > 0 {
				t.Errorf("half of %s: %v", name, err)
			}
			sealed[name] = b
		}
	})
	if err := foundDamage(t, sealed); err == nil {
		t.Error("what was not damaged is found to be")
	}
}

// openSeal is FSTORE of format 1 where files were changed in place by a program that was killed.
func openSeal() []byte { return ended("fstore 1\nopen\n") }

// ended returns a text with the line that ends FSTORE.
func ended(text string) []byte { return fmt.Appendf(nil, "%send %016x\n", text, xxh3.HashString(text)) }

// foundDamage says whether opening or checking finds the damage in a store, in the way it should.
func foundDamage(t *testing.T, files map[string][]byte) error {
	t.Helper()
	problems, _, err := checkStore(memDir(t, "db", files), "db")
	said := strings.Join(problems, "\n") + fmt.Sprint(err)
	switch {
	case strings.Contains(said, "detail carrier"):
		return errors.New("the database's own words: " + said)
	case err == nil && len(problems) == 0:
		return errors.New("not found")
	case err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrVersion):
		return fmt.Errorf("neither damage nor version: %w", err)
	}
	return nil
}

// TestAppendRefusesDamage damages the end of a file. A manifest could then read as an older store, so a
// writer must not begin, and no file may change.
func TestAppendRefusesDamage(t *testing.T) {
	fs := vfs.NewMem()
	buildEverything(t, fs, "db")
	if err := build(fs, "db", Append, 40, 50); err != nil {
		t.Fatal(err)
	}
	files := dirFiles(t, fs, "db")
	for name, b := range files {
		if strings.HasSuffix(name, ".sst") || disk.IsExpansionName(name) || disk.IsCopyName(name) || len(b) == 0 || name == sealName {
			continue // the copy of meta is written anew
		}
		for i := max(0, len(b)-40); i < len(b); i++ {
			b[i] ^= 0x10
			damaged := memDir(t, "db", files)
			if _, err := Begin("db", WriteOptions{Options: Options{FS: damaged}, Mode: Append}); !errors.Is(err, ErrDamaged) {
				t.Errorf("%s, byte %d: %v", name, i, err)
			}
			if d := cmp.Diff(files, dirFiles(t, damaged, "db")); d != "" {
				t.Errorf("%s, byte %d: files changed:\n%s", name, i, d)
			}
			b[i] ^= 0x10
		}
	}
}

// TestCheckFindsInconsistency makes stores whose files are undamaged, but whose contents are wrong.
func TestCheckFindsInconsistency(t *testing.T) {
	for name, spoil := range map[string]func(w *Writer) error{
		"sample id beyond": func(w *Writer) error {
			return addFragmentsOf(w, "other", func(l *FragmentLoader) error {
				return l.Put(testCode(1), []byte{2, 0x7F})
			})
		},
		"code": func(w *Writer) error {
			return addFragmentsOf(w, "other", func(l *FragmentLoader) error {
				return l.Put(index.Code{0xFF, 0xFF}, testValue(1))
			})
		},
		"posting list": func(w *Writer) error {
			return addFragmentsOf(w, "other", func(l *FragmentLoader) error {
				return l.Put(testCode(1), []byte{4, 1})
			})
		},
		"counts":    func(w *Writer) error { w.Meta().Words++; return nil },
		"sentences": func(w *Writer) error { w.Meta().Sentences++; return nil },
		"documents": func(w *Writer) error { w.Meta().Documents++; return nil },
		"gold":      func(w *Writer) error { w.Meta().Lists.GoldAdded++; return nil },
		"labels":    func(w *Writer) error { w.Meta().Labels++; return nil },
		"label that a sample has not": func(w *Writer) error {
			return spoilLabels(w, func(m map[string]*roaring.Bitmap) { m["x"].Add(1) })
		},
		"label that a sample has": func(w *Writer) error {
			return spoilLabels(w, func(m map[string]*roaring.Bitmap) { m["x"].Remove(0) })
		},
		"labels swapped": func(w *Writer) error {
			return spoilLabels(w, func(m map[string]*roaring.Bitmap) { m["x"], m["y"] = m["y"], m["x"] })
		},
		"label renamed": func(w *Writer) error {
			return spoilLabels(w, func(m map[string]*roaring.Bitmap) { m["new"] = m["x"]; delete(m, "x") })
		},
		"fragments": func(w *Writer) error { w.Meta().Spaces[0].Features++; return nil },
		"unknown kind": func(w *Writer) error {
			return w.putRaw([]byte{byte(kindEnd), 1}, nil)
		},
		"unparsable key": func(w *Writer) error {
			return w.putRaw([]byte{byte(KindFragment), 0xF0}, nil)
		},
		"beyond a selection": func(w *Writer) error {
			return w.putRaw(keyspace{KindSelection, 1, 0}.numbered(99), nil)
		},
		"rank": func(w *Writer) error {
			return w.putRaw(keyspace{KindRank, 1, 0}.numbered(3), testCode(3))
		},
		"model part": func(w *Writer) error {
			return w.putRaw(keyspace{KindModel, 1, 1}.numbered(1), []byte("more"))
		},
		"symbol": func(w *Writer) error {
			w.Symbols().Intern(index.Productions, []byte{1, 200, 200, 3})
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			fs := vfs.NewMem()
			buildEverything(t, fs, "db")
			w, err := Begin("db", WriteOptions{Options: Options{FS: fs}, Mode: Append})
			if err != nil {
				t.Fatal(err)
			}
			if err := spoil(w); err != nil {
				t.Fatal(err)
			}
			if err := w.Commit(); err != nil {
				t.Fatal(err)
			}
			problems, _, err := checkStore(fs, "db")
			if err == nil && len(problems) == 0 {
				t.Fatal("not found")
			}
			t.Log(problems, err)
		})
	}
}

// spoilLabels changes the bitmaps that will be written.
func spoilLabels(w *Writer, spoil func(map[string]*roaring.Bitmap)) error {
	sw, err := w.Samples()
	if err != nil {
		return err
	}
	spoil(w.labels.m)
	w.labels.dirty = true
	return sw.Close()
}

// putRaw writes any key.
func (w *Writer) putRaw(key, value []byte) error {
	t := w.change.Table()
	return errors.Join(t.Put(key, value), t.Close(nil))
}

func addFragmentsOf(w *Writer, id string, put func(*FragmentLoader) error) error {
	n := w.SetSpace(SpaceInfo{ID: id})
	l, err := w.Fragments(n)
	if err != nil {
		return err
	}
	if err := errors.Join(put(l), l.Close()); err != nil {
		return err
	}
	_, err = w.FinishFragments(n)
	return err
}

// TestLeftovers: Check tells files of killed writers apart from damage, and the next writer deletes them.
func TestLeftovers(t *testing.T) {
	fs := vfs.NewMem()
	buildEverything(t, fs, "db")
	w, err := Begin("db", WriteOptions{Options: Options{FS: fs}, Mode: Append})
	if err != nil {
		t.Fatal(err)
	}
	if err := addSamples(w, 30, 50); err != nil {
		t.Fatal(err)
	}
	if err := addFragments(w, 0, 60, 2); err != nil {
		t.Fatal(err)
	}
	if err := putState(w, 0, "state"); err != nil {
		t.Fatal(err)
	}
	killed := vfs.NewMem() // what is on disk at this moment
	if _, err := vfs.Clone(fs, killed, "db", "db"); err != nil {
		t.Fatal(err)
	}
	if err := w.Abort(); err != nil {
		t.Fatal(err)
	}
	if left := wantSound(t, fs, "db"); len(left) > 0 {
		t.Errorf("after Abort: %v", left)
	}
	for _, c := range []struct {
		name string
		says []string
	}{
		{"sealed", []string{" to marker.manifest.000003.MANIFEST-", " names: of a writer"}},
		{"changed in place", []string{"FSTORE has no sums", "samples", "fragments", "ranks", "expansion"}},
	} {
		fs := fsOf(t, killed, "db")
		if c.name != "sealed" {
			filetest.Write(t, fs, "db/FSTORE", openSeal())
		}
		left := strings.Join(wantSound(t, fs, "db"), "\n")
		for _, want := range c.says {
			if !strings.Contains(left, want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, left)
			}
		}
		if err := build(fs, "db", Append, 60, 5); err != nil {
			t.Fatal(err)
		}
		if left := wantSound(t, fs, "db"); len(left) > 0 {
			t.Errorf("%s, after the next writer: %v", c.name, left)
		}
	}
}
