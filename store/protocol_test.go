package store

import (
	"bytes"
	"context"
	"errors"
	iofs "io/fs"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/google/go-cmp/cmp"

	"fstore/store/filetest"
)

// TestNeighboursStay: no writer of a store touches the files beside the store.
func TestNeighboursStay(t *testing.T) {
	neighbours := []string{"db.building", "db.replaced", "db.tmp", "db.new", "d"}
	mem := vfs.NewMem()
	for _, name := range neighbours {
		buildEverything(t, mem, name)
	}
	want := map[string]map[string][]byte{}
	for _, name := range neighbours {
		want[name] = dirFiles(t, mem, name)
	}
	if _, err := Open("db", Options{FS: mem}); !errors.Is(err, ErrNotStore) {
		t.Error(err)
	}
	for i, mode := range []Mode{Create, Append, Overwrite, Append} {
		if err := build(mem, "db", mode, 10+i, 10); err != nil {
			t.Fatal(err)
		}
	}
	beginAndAbort(t, mem, Overwrite)
	for _, name := range neighbours {
		if d := cmp.Diff(want[name], dirFiles(t, mem, name)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// TestLeftByOlder: messages name the files that a killed program of format 1 left beside a store. No command
// uses them.
func TestLeftByOlder(t *testing.T) {
	for _, c := range []struct{ name, seal, says string }{
		{"db.replaced", "fstore 1\nsealed\n", "mv db.replaced db"},
		{"db.building", "fstore 1\nsealed\n", "mv db.building db"},
		{"db.building", "fstore 1\nopen\n", "did not finish"},
	} {
		mem := vfs.NewMem()
		files := map[string][]byte{"000005.sst": []byte("table"), sealName: ended(c.seal)}
		if err := mem.MkdirAll(c.name, 0o777); err != nil {
			t.Fatal(err)
		}
		for name, b := range files {
			filetest.Write(t, mem, mem.PathJoin(c.name, name), bytes.Clone(b))
		}
		said := func(err error) {
			t.Helper()
			if !errors.Is(err, ErrNotStore) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v", c.name, err)
			}
			if d := cmp.Diff(files, dirFiles(t, mem, c.name)); d != "" {
				t.Errorf("%s: %s", c.name, d)
			}
		}
		_, err := Open("db", Options{FS: mem})
		said(err)
		for _, mode := range []Mode{Create, Append, Overwrite} {
			_, err := Begin("db", WriteOptions{Options: Options{FS: mem}, Mode: mode})
			said(err)
		}
		if names, _ := mem.List(""); len(names) != 1 {
			t.Errorf("%v", names)
		}
	}
}

// wantSamples fails unless there is an undamaged store with this number of samples, and no leftover file.
func wantSamples(t *testing.T, fs vfs.FS, dir string, n uint32) {
	t.Helper()
	if left := wantSound(t, fs, dir); len(left) > 0 {
		t.Errorf("left in the store: %v", left)
	}
	if got := contents(t, fs, dir)["meta"].(Meta).Samples; got != n {
		t.Errorf("%d samples, want %d", got, n)
	}
}

// TestCommitIsInterrupted: if the context is done before the commit step, the commit ends, and a run that
// resumes finds the written data.
func TestCommitIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, keep := range []bool{false, true} {
		mem := prepare(t, true)
		w, err := Begin("db", WriteOptions{Options: Options{FS: mem}, Mode: Overwrite, Keep: keep})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(addSamples(w, 0, newSamples), putState(w, 3, "state")); err != nil {
			t.Fatal(err)
		}
		if err := w.CommitContext(ctx); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		w, err = Begin("db", WriteOptions{Options: Options{FS: mem}, Mode: Overwrite, Resume: true})
		if err != nil {
			t.Fatal(err)
		}
		if text, err := state(w, 3); w.Resumed() != keep || keep && (err != nil || text != "state" || w.Meta().Samples != newSamples) {
			t.Errorf("resumed %v: %q, %v, %d samples", w.Resumed(), text, err, w.Meta().Samples)
		}
		if got := contents(t, mem, "db")["meta"].(Meta).Samples; got != oldSamples {
			t.Errorf("%d samples", got)
		}
		if keep {
			if err := w.Commit(); err != nil {
				t.Fatal(err)
			}
			wantSamples(t, mem, "db", newSamples)
		} else if err := w.Abort(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAppendBesideWhatStays: a writer still works if a file that the store does not name cannot be deleted.
func TestAppendBesideWhatStays(t *testing.T) {
	mem := prepare(t, true)
	filetest.Write(t, mem, "db/000099.sst", []byte("of a killed writer"))
	fs := hooked(mem, func(op errorfs.Op) error {
		if op.Kind == errorfs.OpRemove && op.Path == "db/000099.sst" {
			return &iofs.PathError{Op: "remove", Path: op.Path, Err: iofs.ErrPermission}
		}
		return nil
	})
	if err := build(fs, "db", Append, newSamples, 5); err != nil {
		t.Fatal(err)
	}
	if left := wantSound(t, mem, "db"); len(left) != 1 {
		t.Errorf("left %v", left)
	}
	if err := build(mem, "db", Append, newSamples+1, 5); err != nil {
		t.Fatal(err)
	}
	wantSamples(t, mem, "db", newSamples+1)
}

// TestMade: an aborted build leaves no file of its own. It leaves the directory only if another process made
// it. Both are also true after a run that was killed.
func TestMade(t *testing.T) {
	for _, c := range []struct{ there, killed bool }{{false, false}, {true, false}, {false, true}, {true, true}} {
		mem := vfs.NewMem()
		if c.there {
			if err := mem.MkdirAll("db", 0o777); err != nil {
				t.Fatal(err)
			}
		}
		if c.killed {
			w, err := Begin("db", WriteOptions{Options: Options{FS: mem}})
			if err != nil {
				t.Fatal(err)
			}
			killed := fsOf(t, mem, "db")
			if err := w.Abort(); err != nil {
				t.Fatal(err)
			}
			mem = killed
			if _, err := Open("db", Options{FS: mem}); !errors.Is(err, ErrNotStore) || !strings.Contains(err.Error(), "a build of it") {
				t.Error(err)
			}
			if _, err := Begin("db", WriteOptions{Options: Options{FS: mem}, Mode: Append}); !errors.Is(err, ErrNotStore) {
				t.Error(err)
			}
		}
		beginAndAbort(t, mem, Create)
		names, err := mem.List("")
		if err != nil || (len(names) > 0) != c.there {
			t.Errorf("%+v: left %v, %v", c, names, err)
		}
		if names, _ := mem.List("db"); len(names) > 0 {
			t.Errorf("%+v: left %v", c, names)
		}
	}
}

// TestSecondCrash cuts the power twice: before an operation of a run, and before an operation of the next
// run, which clears up. After that, no directory may be blocked, and no store lost.
func TestSecondCrash(t *testing.T) {
	every := 7
	if testing.Short() {
		every = 61
	}
	n := 0
	// crashes runs something and returns what the disk has at some of its operations.
	crashes := func(mem *vfs.MemFS, run func(fs vfs.FS) error) (left []*vfs.MemFS) {
		err := run(hooked(mem, func(errorfs.Op) error {
			if n++; n%every == 0 {
				left = append(left, mem.CrashClone(vfs.CrashCloneCfg{}))
			}
			return nil
		}))
		if err != nil {
			t.Fatal(err)
		}
		return left
	}
	tries := 0
	for _, run := range interrupted {
		first := func(fs vfs.FS) error { return build(fs, "db", run.mode, newSamples, 5) }
		second := func(fs vfs.FS) error { // begins, clears, gives up
			mode := run.mode
			if _, err := fs.Stat("db/" + sealName); mode == Create && !errors.Is(err, iofs.ErrNotExist) {
				mode = Overwrite
			}
			w, err := Begin("db", WriteOptions{Options: Options{FS: fs}, Mode: mode})
			if err != nil {
				return err
			}
			return w.Abort()
		}
		for _, once := range crashes(prepare(t, run.old), first) {
			for _, twice := range crashes(once, second) {
				wantOldOrNew(t, twice, run.old)
				tries++
			}
		}
	}
	t.Logf("%d times", tries)
	if tries < 20 {
		t.Error("few tries")
	}
}

// TestUnreadableStays: if FSTORE cannot be read, the data of the store stay until a new store is committed in
// its place, also if runs were killed.
func TestUnreadableStays(t *testing.T) {
	for _, o := range []WriteOptions{{}, {Keep: true}, {Resume: true}} {
		mem := vfs.NewMem()
		buildEverything(t, mem, "db")
		want := dirFiles(t, mem, "db")
		want[sealName] = []byte("fstore 3\nnonsense\n")
		filetest.Write(t, mem, "db/"+sealName, bytes.Clone(want[sealName]))
		stays := func(mem vfs.FS, what string) {
			t.Helper()
			got := dirFiles(t, mem, "db")
			for name := range want {
				if !bytes.Equal(got[name], want[name]) {
					t.Errorf("resume %v: %s: %s has changed", o.Resume, what, name)
				}
			}
			if n := len(got) - len(want); n > 0 && what == "given up" && !o.Keep && !o.Resume {
				t.Errorf("%s: %d files more", what, n)
			}
		}
		o.Options, o.Mode = Options{FS: mem}, Overwrite
		for range 2 {
			w, err := Begin("db", o)
			if err != nil {
				t.Fatal(err)
			}
			old, err := w.Salvage(func(err error) { t.Error(err) })
			if err != nil {
				t.Fatal(err)
			}
			if n := old.Meta().Samples; n != 30 {
				t.Errorf("%+v: %d samples", o, n)
			}
			contentsOf(t, old)
			if err := errors.Join(old.Close(), addSamples(w, int(w.Meta().Samples), newSamples), w.Checkpoint()); err != nil {
				t.Fatal(err)
			}
			stays(mem, "at work")
			killed := fsOf(t, mem, "db")
			if err := w.Abort(); err != nil {
				t.Fatal(err)
			}
			stays(mem, "given up")
			stays(killed, "killed")
			mem, o.FS = killed, killed
			o.Keep = true // what was killed stays too, which cannot be told apart
		}
		if err := build(mem, "db", Overwrite, newSamples, 5); err != nil {
			t.Fatal(err)
		}
		wantSamples(t, mem, "db", newSamples)
	}
}
