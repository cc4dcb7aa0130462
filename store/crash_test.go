package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// The runs that are interrupted: each turns a store of oldSamples, or none, into
// one of newSamples.
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
	if err := errors.Join(fs.MkdirAll("/", 0o777), syncDir(fs, "/")); err != nil {
		t.Fatal(err)
	}
	if old {
		if err := build(fs, "db", Create, oldSamples, 20); err != nil {
			t.Fatal(err)
		}
	}
	return fs
}

// wantOldOrNew fails unless the store is the old one or the new one, sound, and
// the next writer can begin. It returns the number of samples, 0 for no store.
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
	// A plain run, of either kind.
	w, err := Begin("db", WriteOptions{Options: Options{FS: fs}, Mode: Overwrite})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Abort(); err != nil {
		t.Fatal(err)
	}
	w, err = Begin("db", WriteOptions{Options: Options{FS: fs}, Mode: Append})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Abort(); err != nil {
		t.Fatal(err)
	}
	if left := wantSound(t, fs, "db"); len(left) > 0 {
		t.Fatalf("left behind: %v", left)
	}
	if names, _ := fs.List("/"); len(names) != 1 {
		t.Fatalf("left behind: %v", names)
	}
	return n
}

// TestCrash ends the power before each operation of a run, with none, half or all
// of what was not synced on disk.
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

// TestInjectedErrors fails each operation of a run in turn. The run may succeed
// all the same (the database retries some), but may not claim to when it did not.
func TestInjectedErrors(t *testing.T) {
	injected := errors.New("injected")
	for _, run := range interrupted {
		t.Run(run.name, func(t *testing.T) {
			step := 1
			if testing.Short() {
				step = 10
			}
			for k := 0; ; k += step {
				mem := prepare(t, run.old)
				var done atomic.Int64 // a database that gave up may go on beside
				var failed atomic.Pointer[errorfs.Op]
				fs := hooked(mem, func(op errorfs.Op) error {
					if int(done.Add(1)) == k+1 {
						failed.Store(&op)
						return injected
					}
					return nil
				})
				err := build(fs, "db", run.mode, newSamples, 30)
				op := failed.Load()
				if op == nil { // there are not so many operations
					if err != nil || k < 100 {
						t.Fatalf("%d operations, %v", k, err)
					}
					return
				}
				t.Run(fmt.Sprintf("operation %d %v %s", k, op.Kind, op.Path), func(t *testing.T) {
					n := wantOldOrNew(t, mem, run.old)
					if err == nil && n != newSamples {
						t.Fatalf("no error, and %d samples", n)
					}
				})
			}
		})
	}
}
