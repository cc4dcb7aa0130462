package builder_test

import (
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"math/rand/v2"
	"sync"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"fstore/index"
	"fstore/mine/builder"
	"fstore/mine/internal/minetest"
	"fstore/mine/maintain"
	"fstore/store"
)

// faulty are the runs that the tests interrupt. Each commits at one point. It changes a store, or makes one
// if `old` is false.
var faulty = []struct {
	name string
	old  bool // there is a store
	run  func(t *testing.T, fs vfs.FS) error
}{
	{"build", false, func(t *testing.T, fs vfs.FS) error {
		_, err := builder.Run(context.Background(), "s", minetest.Options(t, fs, 0, 20, "stk", "sstbow:closed"))
		return err
	}},
	{"append", true, func(t *testing.T, fs vfs.FS) error {
		o := minetest.Options(t, fs, 20, 4, "stk", "sstbow:closed")
		o.Mode = store.Append
		_, err := builder.Run(context.Background(), "s", o)
		return err
	}},
	{"reindex", true, func(t *testing.T, fs vfs.FS) error {
		return tryChange(fs, func(w *store.Writer) error {
			_, err := maintain.Reindex(context.Background(), w, index.NoProgress{})
			w.Meta().History = append(w.Meta().History, store.Event{Command: "reindex"})
			return err
		})
	}},
	{"remove", true, func(t *testing.T, fs vfs.FS) error {
		o := minetest.RemoveOptions(fs)
		o.Labels = []string{"x"}
		_, err := maintain.Remove(context.Background(), "s", o)
		return err
	}},
	{"repair", true, func(t *testing.T, fs vfs.FS) error {
		_, err := maintain.Repair(context.Background(), "s", minetest.RepairOptions(fs), func(lost string) { t.Errorf("lost: %s", lost) })
		return err
	}},
}

// tryChange does the same as changeStore, but returns the error of Begin.
func tryChange(fs vfs.FS, f func(*store.Writer) error) error {
	w, err := store.Begin("s", store.WriteOptions{Options: store.Options{FS: fs}, Mode: store.Append})
	if err != nil {
		return err
	}
	if err := f(w); err != nil {
		return errors.Join(err, w.Abort())
	}
	return w.Commit()
}

// oldStore makes the store that runs begin with.
func oldStore(t *testing.T) *vfs.MemFS {
	t.Helper()
	fs := vfs.NewMem()
	minetest.Build(t, fs, minetest.Options(t, fs, 0, 20, "stk", "sstbow:closed")).Close()
	minetest.AddSelections(t, fs)
	return fs
}

// begin makes the file system that a run begins with, synced.
func begin(t *testing.T, store *vfs.MemFS, old bool) *vfs.MemFS {
	t.Helper()
	fs := vfs.NewCrashableMem()
	if old {
		if _, err := vfs.Clone(store, fs, "s", "s", vfs.CloneSync); err != nil {
			t.Fatal(err)
		}
		d, err := fs.OpenDir("")
		if err == nil {
			err = errors.Join(d.Sync(), d.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return fs
}

// state returns the contents of the store, or "" if there is no store. It fails unless the store is
// undamaged.
func state(t *testing.T, fs vfs.FS) string {
	t.Helper()
	s, err := store.Open("s", store.Options{FS: fs})
	if errors.Is(err, store.ErrNotStore) {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Check(t.Context(), func(p string) { t.Error(p) }, func(string) {}); err != nil {
		t.Fatal(err)
	}
	if p := minetest.Verify(t, s, 0); len(p) > 0 {
		t.Fatal(p)
	}
	return fmt.Sprint(len(s.Meta().History), minetest.Everything(t, s))
}

// hooked calls hook before each operation on files, one at a time.
func hooked(fs vfs.FS, hook func(op errorfs.Op) error) vfs.FS {
	var mu sync.Mutex
	return errorfs.Wrap(fs, errorfs.InjectorFunc(func(op errorfs.Op) error {
		mu.Lock()
		defer mu.Unlock()
		return hook(op)
	}))
}

// strideOf returns the distance between the operations that are tried, of n operations. Short tests try
// fewer.
func strideOf(n int) int {
	if testing.Short() {
		return max(n/7, 1)
	}
	return max(n/60, 1)
}

// The power fails before an operation; of the data that were not synced, no part, half or all is then on
// disk. The store must be the old one or the new one.
func TestCrash(t *testing.T) {
	store := oldStore(t)
	for _, f := range faulty {
		t.Run(f.name, func(t *testing.T) {
			count := 0
			if err := f.run(t, hooked(begin(t, store, f.old), func(errorfs.Op) error { count++; return nil })); err != nil {
				t.Fatal(err)
			}
			mem := begin(t, store, f.old)
			before := state(t, mem)
			rng := rand.New(rand.NewPCG(1, 2))
			var clones []*vfs.MemFS
			n, stride := 0, strideOf(count)
			err := f.run(t, hooked(mem, func(errorfs.Op) error {
				if n++; n%stride == 0 || n > count-4 {
					clones = append(clones, mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: []int{0, 50, 100}[len(clones)%3], RNG: rng}))
				}
				return nil
			}))
			if err != nil {
				t.Fatal(err)
			}
			after := state(t, mem)
			olds := 0
			for k, clone := range append(clones, mem.CrashClone(vfs.CrashCloneCfg{})) {
				switch got := state(t, clone); {
				case got == after && got != before:
				case got == before && k < len(clones):
					olds++
				default:
					t.Errorf("clone %d of %d is neither old nor new: %.60q, and there were %.60q, %.60q", k, len(clones), got, before, after)
				}
			}
			t.Logf("%d operations, %d clones, %d of them old", count, len(clones), olds)
			if olds == 0 {
				t.Error("the old was not seen")
			}
		})
	}
}

// An operation fails. The run must then return an error, or have done its work all the same.
func TestInjectedErrors(t *testing.T) {
	store := oldStore(t)
	for _, f := range faulty {
		t.Run(f.name, func(t *testing.T) {
			count := 0
			mem := begin(t, store, f.old)
			before := state(t, mem)
			if err := f.run(t, hooked(mem, func(errorfs.Op) error { count++; return nil })); err != nil {
				t.Fatal(err)
			}
			after := state(t, mem)
			stride := strideOf(count)
			for k := 1; k <= count; k += stride {
				mem := begin(t, store, f.old)
				n := 0
				err := f.run(t, hooked(mem, func(op errorfs.Op) error {
					if n++; n == k {
						return &iofs.PathError{Op: "injected", Path: op.Path, Err: syscall.EIO}
					}
					return nil
				}))
				switch got := state(t, mem); {
				case got == after && after != before:
				case got != before:
					t.Errorf("operation %d of %d: neither old nor new; %v", k, count, err)
				case err == nil && before != after:
					t.Errorf("operation %d of %d: no error, and the old store", k, count)
				}
			}
			t.Logf("%d of %d operations", (count+stride-1)/stride, count)
		})
	}
}
