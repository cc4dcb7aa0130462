package gradient

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"fstore/index"
	"fstore/store"
)

// outcome is what a run finds.
type outcome struct {
	Iterations []Iteration
	Fragments  [][]Fragment // by class
}

// mineKept is a run with a checkpoint in a store; its writer is aborted, but what is kept
// stays. grown is how often parts were looked for in the trees.
func mineKept(ctx context.Context, fs vfs.FS, l *lists, o Options) (x outcome, err error) {
	w, err := store.Begin("s", store.WriteOptions{Options: store.Options{FS: fs}, Mode: store.Append, Resume: true})
	if err != nil {
		return x, err
	}
	defer func() { err = errors.Join(err, w.Abort()) }()
	o.FS, o.Dir = w.ScratchDir("gradient")
	if err := o.FS.MkdirAll(o.Dir, 0o700); err != nil {
		return x, err
	}
	o.Checkpoint = &Checkpoint{Writer: w, Key: 7}
	logged := 0
	o.Log = func(i *Iteration) error {
		logged++
		if i.Iteration != logged {
			return fmt.Errorf("iteration %d is logged as number %d", i.Iteration, logged)
		}
		return nil
	}
	r, err := Mine(ctx, &l.Problem, o)
	if err != nil {
		return x, err
	}
	x.Iterations = r.Iterations
	for class := range int(l.Classes) {
		var all []Fragment
		err := r.Each(class, func(f *Fragment) error {
			y := *f
			y.Code = bytes.Clone(f.Code)
			all = append(all, y)
			return nil
		})
		if err != nil {
			return x, errors.Join(err, r.Close())
		}
		x.Fragments = append(x.Fragments, all)
	}
	return x, r.Close()
}

// emptyStore is a store on a file system that can crash.
func emptyStore(t *testing.T) *vfs.MemFS {
	fs := vfs.NewCrashableMem()
	w, err := store.Begin("s", store.WriteOptions{Options: store.Options{FS: fs}})
	if err == nil {
		err = w.Commit()
	}
	if err != nil {
		t.Fatal(err)
	}
	return fs
}

// A run that is killed at any of its operations on files, whatever of what was not synced is
// lost, or interrupted, is resumed to the same result; and what was whole is not grown again.
func TestResume(t *testing.T) {
	measured := cmpopts.IgnoreFields(Iteration{}, "MineSeconds", "MergeSeconds", "ScoreSeconds", "SpilledBytes", "MemoryBytes")
	for _, route := range []Route{DepthFirst, Bloom, Bitmap} {
		for _, labelled := range []bool{false, true} {
			l := newLists(t, "dep", 3, 12, 4, 3)
			if labelled {
				l = l.labelled(2)
			}
			o := l.options(3)
			o.Route, o.BloomCounters, o.C, o.Iterations, o.Keep = route, 64, 1, 3, KeepFeatures
			if labelled {
				o.Memory = 0
			}
			t.Run(fmt.Sprint(route, labelled), func(t *testing.T) {
				fs := emptyStore(t)
				count := 0
				want, err := mineKept(context.Background(), hooked(fs, func() { count++ }), l, o)
				if err != nil {
					t.Fatal(err)
				}
				fs = emptyStore(t)
				var clones []*vfs.MemFS
				r := rand.New(rand.NewPCG(1, 1))
				n := 0
				_, err = mineKept(context.Background(), hooked(fs, func() {
					if n++; n%(count/12) == 0 {
						clones = append(clones, fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: []int{100, 50}[len(clones)%2], RNG: r}))
					}
				}), l, o)
				if err != nil {
					t.Fatal(err)
				}
				for i, fs := range clones {
					got, err := mineKept(context.Background(), fs, l, o)
					if err != nil {
						t.Fatalf("%d of %d: %v", i, len(clones), err)
					}
					if d := cmp.Diff(want, got, measured); d != "" {
						t.Fatalf("%d of %d: -want +got:\n%s", i, len(clones), d)
					}
				}
			})
		}
	}
}

func hooked(fs vfs.FS, hook func()) vfs.FS {
	var mu sync.Mutex
	return errorfs.Wrap(fs, errorfs.InjectorFunc(func(errorfs.Op) error {
		mu.Lock()
		defer mu.Unlock()
		hook()
		return nil
	}))
}

// growing calls a function before its space grows fragments.
type growing struct {
	index.Space
	before func() error
}

func (g growing) Grow(items index.Items, r index.Range, w index.Weights, l index.Limits, v index.Visitor) (index.Counts, error) {
	if err := g.before(); err != nil {
		return index.Counts{}, err
	}
	return g.Space.Grow(items, r, w, l, v)
}

// What an interrupted run has found whole is not found again: ranges of an iteration, and
// iterations.
func TestResumeGrowsTheRest(t *testing.T) {
	l := newLists(t, "dep", 3, 12, 4, 3)
	o := l.options(3)
	o.C, o.Workers, o.Keep = 1, 1, KeepFeatures
	total := 0
	o.Space = growing{l.space, func() error { total++; return nil }} // it has no packs
	want, err := mineKept(context.Background(), emptyStore(t), l, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, after := range []int{2, total / 2, total - 1} {
		fs := emptyStore(t)
		ctx, cancel := context.WithCancel(context.Background())
		n := 0
		o.Space = growing{l.space, func() error {
			if n++; n > after {
				cancel()
			}
			return ctx.Err()
		}}
		if _, err := mineKept(ctx, fs, l, o); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		cancel()
		again := 0
		o.Space = growing{l.space, func() error { again++; return nil }}
		got, err := mineKept(context.Background(), fs, l, o)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(want.Fragments, got.Fragments, func(a, b []Fragment) bool { return cmp.Equal(a, b) }) {
			t.Errorf("after %d: other fragments", after)
		}
		if again != total-after {
			t.Errorf("after %d of %d: %d are grown", after, total, again)
		}
	}
}
