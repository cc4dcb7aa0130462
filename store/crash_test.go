package store

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"math/rand/v2"
	"path"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"fstore/store/disk"
)

// The runs that are interrupted. Each turns a store of oldSamples samples, or no store, into a store of
// newSamples samples.
const oldSamples, newSamples = 5, 9

var interrupted = []struct {
	name string
	old  bool
	mode Mode
}{
	{"create", false, Create},
	{"append", true, Append},
	{"overwrite", true, Overwrite},
}

// hooked is a file system that calls hook before each operation.
func hooked(fs vfs.FS, hook func(op errorfs.Op) error) vfs.FS {
	var mu sync.Mutex
	return errorfs.Wrap(fs, errorfs.InjectorFunc(func(op errorfs.Op) error {
		mu.Lock()
		defer mu.Unlock()
		return hook(op)
	}))
}

// prepare makes the file system that a run begins with.
func prepare(t *testing.T, old bool) *vfs.MemFS {
	t.Helper()
	fs := vfs.NewCrashableMem()
	if err := errors.Join(fs.MkdirAll("/", 0o777), disk.Dir{FS: fs, Path: "/"}.Sync()); err != nil {
		t.Fatal(err)
	}
	if old {
		if err := build(fs, "db", Create, oldSamples, 20); err != nil {
			t.Fatal(err)
		}
	}
	return fs
}

// wantOldOrNew fails unless the store is the old one or the new one, it is undamaged, and the next writer can
// begin. It returns the number of samples, or 0 if there is no store.
func wantOldOrNew(t *testing.T, fs vfs.FS, old bool) uint32 {
	t.Helper()
	s, err := Open("db", Options{FS: fs})
	if errors.Is(err, ErrNotStore) && !old {
		if err := build(fs, "db", Create, 3, 5); err != nil {
			t.Fatalf("build where none was: %v", err)
		}
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	n := s.Meta().Samples
	if n != newSamples && (n != oldSamples || !old) {
		t.Fatalf("%d samples", n)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	wantSound(t, fs, "db")
	// An overwriting and an appending run can begin, and leave nothing behind.
	beginAndAbort(t, fs, Overwrite)
	beginAndAbort(t, fs, Append)
	if left := wantSound(t, fs, "db"); len(left) > 0 {
		t.Fatalf("left behind: %v", left)
	}
	if names, _ := fs.List("/"); len(names) != 1 {
		t.Fatalf("left behind: %v", names)
	}
	return n
}

// beginAndAbort begins a writer of db and gives it up.
func beginAndAbort(t *testing.T, fs vfs.FS, mode Mode) {
	t.Helper()
	w, err := Begin("db", WriteOptions{Options: Options{FS: fs}, Mode: mode})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Abort(); err != nil {
		t.Fatal(err)
	}
}

// TestCrash cuts the power before each operation of a run. Of the data that were not synced, no part, half or
// all is then on disk.
func TestCrash(t *testing.T) {
	for _, run := range interrupted {
		t.Run(run.name, func(t *testing.T) {
			mem := prepare(t, run.old)
			rng := rand.New(rand.NewPCG(1, 2))
			var clones []*vfs.MemFS
			fs := hooked(mem, func(op errorfs.Op) error {
				percent := []int{0, 50, 100}[len(clones)%3]
				clones = append(clones, mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: percent, RNG: rng}))
				return nil
			})
			if err := build(fs, "db", run.mode, newSamples, 30); err != nil {
				t.Fatal(err)
			}
			clones = append(clones, mem.CrashClone(vfs.CrashCloneCfg{}))
			seen := map[uint32]int{}
			for k, clone := range clones {
				if testing.Short() && k%10 != 0 && k != len(clones)-1 {
					continue
				}
				t.Run(fmt.Sprint("operation ", k), func(t *testing.T) {
					seen[wantOldOrNew(t, clone, run.old)]++
				})
			}
			t.Logf("%d operations; samples: %v", len(clones), seen)
			if wantOldOrNew(t, clones[len(clones)-1], run.old) != newSamples {
				t.Error("what was committed is gone after a crash")
			}
			if len(seen) < 2 {
				t.Error("old and new were not both seen")
			}
		})
	}
}

// TestInjectedErrors fails each operation of a run in turn. The run can succeed (the database tries some
// operations again), but it must not report success if it failed.
func TestInjectedErrors(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 10
	}
	for _, run := range interrupted {
		t.Run(run.name, func(t *testing.T) {
			for k := 0; ; k += step {
				n := 0
				fails := func(errorfs.Op) bool { n++; return n == k+1 }
				if failed := runFailing(t, run.old, run.mode, fails); !failed {
					if k < 100 {
						t.Fatalf("%d operations", k)
					}
					return // there are not so many operations
				}
			}
		})
	}
}

// TestDiskFails begins an append, and fails every operation from the kth after it begins to write the new
// FSTORE. Only removing files works. A writer that does not know whether the new FSTORE is in place must not
// remove files that the new FSTORE names.
func TestDiskFails(t *testing.T) {
	for k := 0; ; k++ {
		n := 0
		fails := func(op errorfs.Op) bool {
			if n > 0 || path.Base(op.Path) == sealName+tempSuffix {
				n++
			}
			return n > k && op.Kind != errorfs.OpRemove
		}
		if failed := runFailing(t, true, Append, fails); !failed {
			if k < 5 {
				t.Fatalf("%d operations", k)
			}
			return
		}
	}
}

// runFailing makes a run in which some operations can fail. The store must then be the old one or the new
// one. If the run reports success, it must be the new one.
func runFailing(t *testing.T, old bool, mode Mode, fails func(errorfs.Op) bool) bool {
	t.Helper()
	mem := prepare(t, old)
	var first *errorfs.Op
	var mu sync.Mutex // a database that gave up may go on beside
	err := build(hooked(mem, func(op errorfs.Op) error {
		mu.Lock()
		defer mu.Unlock()
		if !fails(op) {
			return nil
		}
		if first == nil {
			first = &op
		}
		return errors.New("injected")
	}), "db", mode, newSamples, 30)
	mu.Lock()
	op := first
	mu.Unlock()
	if op == nil {
		if err != nil {
			t.Fatal(err)
		}
		return false
	}
	t.Run(fmt.Sprintf("%v %s", op.Kind, op.Path), func(t *testing.T) {
		if _, err := mem.Stat("db/" + sealName); old && err != nil {
			t.Error(err) // a crash may take the name from a store, an error may not
		}
		if n := wantOldOrNew(t, mem, old); err == nil && n != newSamples {
			t.Fatalf("no error, and %d samples", n)
		}
	})
	return true
}

// TestResumeSurvivesErrors fails each operation at the beginning of a run that resumes another. The data of
// the earlier run must stay for the next run.
func TestResumeSurvivesErrors(t *testing.T) {
	left := vfs.NewMem()
	w, err := Begin("db", WriteOptions{Options: Options{FS: left}, Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(addSamples(w, 0, oldSamples), putState(w, 1, "state"), w.Checkpoint(), w.Abort()); err != nil {
		t.Fatal(err)
	}
	for k := 1; ; k++ {
		mem := vfs.NewMem()
		if _, err := vfs.Clone(left, mem, "db", "db"); err != nil {
			t.Fatal(err)
		}
		var n atomic.Int64 // what a database that gave up still does goes on beside
		fs := hooked(mem, func(op errorfs.Op) error {
			if n.Add(1) == int64(k) {
				return &iofs.PathError{Op: "injected", Path: op.Path, Err: syscall.EIO}
			}
			return nil
		})
		begin := func(fs vfs.FS) error {
			w, err := Begin("db", WriteOptions{Options: Options{FS: fs}, Resume: true})
			if err != nil {
				return err
			}
			if !w.Resumed() || w.Meta().Samples != oldSamples {
				t.Errorf("operation %d: what was left is gone", k)
			}
			return w.Abort()
		}
		err := begin(fs)
		if int64(k) > n.Load() {
			if err != nil || k < 30 {
				t.Fatalf("%d operations, %v", n.Load(), err)
			}
			return
		}
		if errors.Is(err, ErrDamaged) {
			t.Errorf("operation %d: an error of the disk is no damage: %v", k, err)
		}
		if err := begin(mem); err != nil {
			t.Fatal(err)
		}
	}
}
