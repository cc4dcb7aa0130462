package gradient

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"fstore/index"
	"fstore/store"
)

// outcome has the results of a run.
type outcome struct {
	Iterations []Iteration
	Fragments  [][]Fragment // by class
}

// mineKept mines with checkpoints in a store. It aborts the writer at the end, but the saved state stays.
func mineKept(ctx context.Context, fs vfs.FS, l *lists, o Options) (x outcome, err error) {
	w, err := store.Begin("s", store.WriteOptions{Options: store.Options{FS: fs}, Mode: store.Append, Resume: true})
	if err != nil {
		return x, err
	}
	defer func() { err = errors.Join(err, w.Abort()) }()
	dir := w.Scratch().Sub("gradient")
	o.FS, o.Dir = dir.FS, dir.Path
	if err := o.FS.MkdirAll(o.Dir, 0o700); err != nil {
		return x, err
	}
	c := Checkpoint{Key: 7}
	if o.Checkpoint != nil {
		c = *o.Checkpoint
	}
	c.Writer, o.Checkpoint = w, &c
	logged, log := 0, o.Log
	o.Log = func(i *Iteration) error {
		logged++
		if i.Iteration != logged {
			return fmt.Errorf("iteration %d is logged as number %d", i.Iteration, logged)
		}
		if log == nil {
			return nil
		}
		return log(i)
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

// A run that is killed at an operation on files, and then resumed, has the same result. Of the data that were
// not synced, all or about half survive.
func TestResume(t *testing.T) {
	measured := cmpopts.IgnoreFields(Iteration{}, "MineSeconds", "MergeSeconds", "ScoreSeconds", "SpilledBytes", "MemoryBytes")
	for _, route := range []Route{DepthFirst, Bloom, Bitmap} {
		for _, labelled := range []bool{false, true} {
			l := newLists(t, "dep:siblings=adjacent,template=rel+h.upos+m.upos", 3, 12, 4, 3)
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

// growing is a space that calls a function before it grows fragments.
type growing struct {
	index.Space
	before func() error
}

func (g growing) NewItems(s *index.Symbols) index.Items {
	return &growingItems{g.Space.NewItems(s), g.before}
}

type growingItems struct {
	index.Items
	before func() error
}

func (g *growingItems) Grow(r index.Range, w index.Weights, l index.Limits, v index.Visitor) (index.Counts, error) {
	if err := g.before(); err != nil {
		return index.Counts{}, err
	}
	return g.Items.Grow(r, w, l, v)
}

// A resumed run does not repeat the iterations, and the ranges of an iteration, that the interrupted run has
// finished.
func TestResumeGrowsTheRest(t *testing.T) {
	l := newLists(t, "dep:siblings=adjacent,template=rel+h.upos+m.upos", 3, 12, 4, 3)
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

// timed makes runs of one worker, with a clock that the test sets.
type timed struct {
	l     *lists
	o     Options
	now   time.Time
	grown int // the number of calls of Grow; there are no packs
}

const every = 10 * time.Second

func newTimed(t *testing.T) *timed {
	x := &timed{l: newLists(t, "dep:siblings=adjacent,template=rel+h.upos+m.upos", 4, 12, 4, 3)} // four iterations
	x.o = x.l.options(3)
	x.o.C, x.o.Workers, x.o.Iterations, x.o.Keep = 1, 1, 4, KeepFeatures
	x.o.Checkpoint = &Checkpoint{Key: 7, Every: every, clock: func() time.Time { return x.now }}
	x.growing(func() error { return nil })
	return x
}

// growing makes the space call the function before each time that it grows fragments.
func (x *timed) growing(before func() error) {
	x.o.Space = growing{x.l.space, func() error { x.grown++; return before() }}
}

// run calls mineKept. The result `ends` has the number of calls of Grow before the end of each iteration.
func (x *timed) run(ctx context.Context, fs vfs.FS, logged func(iteration int)) (got outcome, ends []int, err error) {
	x.grown, ends = 0, []int{0}
	o := x.o
	o.Log = func(i *Iteration) error {
		ends = append(ends, x.grown)
		logged(i.Iteration)
		return nil
	}
	got, err = mineKept(ctx, fs, x.l, o)
	return got, ends, err
}

// resumes resumes a run on fs. The run must find the fragments of `want`, with the given number of calls of
// Grow.
func (x *timed) resumes(t *testing.T, fs vfs.FS, want outcome, grown int) {
	t.Helper()
	x.growing(func() error { return nil })
	got, _, err := x.run(context.Background(), fs, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want.Fragments, got.Fragments); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if x.grown != grown {
		t.Errorf("%d are grown, want %d", x.grown, grown)
	}
}

// keptFiles returns the names of the files that runs have left, except the states.
func keptFiles(t *testing.T, fs vfs.FS, dir string) (names []string) {
	t.Helper()
	in, err := fs.List(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range in {
		path := fs.PathJoin(dir, name)
		if i, err := fs.Stat(path); err == nil && i.IsDir() {
			names = append(names, keptFiles(t, fs, path)...)
		} else if strings.HasPrefix(name, "kept-gradient-") {
			names = append(names, name)
		}
	}
	return names
}

// A run that is killed while it writes a model goes on from the last saved model, even if the iteration
// between them was not saved.
func TestKilledWhileTheNextModelIsWritten(t *testing.T) {
	x := newTimed(t)
	mem := emptyStore(t)
	var clone *vfs.MemFS
	models := 0
	fs := errorfs.Wrap(mem, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if strings.Contains(op.Path, "-model-") {
			if op.Kind == errorfs.OpCreate {
				models++
			} else if models == 2 && clone == nil {
				clone = mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: rand.New(rand.NewPCG(1, 1))})
			}
		}
		return nil
	}))
	want, ends, err := x.run(context.Background(), fs, func(iteration int) {
		if iteration != 2 {
			x.now = x.now.Add(every)
		}
	})
	if err != nil || clone == nil {
		t.Fatal(err, models)
	}
	x.resumes(t, clone, want, ends[4]-ends[1])
}

// A long iteration is saved part by part, also if the iteration before was too short for its model to be
// saved.
func TestLongIterationAfterShort(t *testing.T) {
	x := newTimed(t)
	want, ends, err := x.run(context.Background(), emptyStore(t), func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	parts := ends[2] - ends[1]
	if parts < 3 {
		t.Fatalf("%d parts", parts)
	}
	for after := range parts {
		fs := emptyStore(t)
		ctx, cancel := context.WithCancel(context.Background())
		x.growing(func() error {
			if x.grown <= ends[1] {
				return nil
			}
			if x.now = x.now.Add(every); x.grown > ends[1]+after {
				cancel()
			}
			return ctx.Err()
		})
		if _, _, err := x.run(ctx, fs, func(int) {}); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		cancel()
		kept := 0
		if after > 0 {
			kept = ends[1] + after
		}
		x.resumes(t, fs, want, ends[4]-kept)
	}
}

// A run that takes less than Every saves nothing. A longer run leaves its last model, or with KeepFeatures
// the parts of its last iteration, until the next run begins.
func TestKeptFilesGo(t *testing.T) {
	x := newTimed(t)
	fs := emptyStore(t)
	run := func(key uint64, keep Keep, took time.Duration) (models, parts int) {
		x.o.Checkpoint.Key, x.o.Keep = key, keep
		if _, _, err := x.run(context.Background(), fs, func(int) { x.now = x.now.Add(took) }); err != nil {
			t.Fatal(err)
		}
		for _, name := range keptFiles(t, fs, "") {
			if strings.Contains(name, "-model-") {
				models++
			} else {
				parts++
			}
		}
		return models, parts
	}
	if m, p := run(1, KeepWeights, every/8); m+p != 0 {
		t.Errorf("a short run: %d models, %d parts", m, p)
	}
	if m, p := run(2, KeepWeights, every); m != 1 || p != 0 {
		t.Errorf("weights: %d models, %d parts", m, p)
	}
	x.growing(func() error { x.now = x.now.Add(every); return nil })
	if m, p := run(3, KeepFeatures, 0); m != 2 || p == 0 {
		t.Errorf("features: %d models, %d parts", m, p)
	}
	if m, p := run(4, KeepWeights, 0); m != 3 || p != 0 {
		t.Errorf("weights again: %d models, %d parts", m, p)
	}
	if run(4, KeepWeights, 0); x.grown != 0 {
		t.Errorf("a run that had ended grows %d", x.grown)
	}
}

// A run whose file operation fails can be resumed, with the same result. If a resumed run fails, its error is
// returned.
func TestFailingFiles(t *testing.T) {
	l := newLists(t, "dep:siblings=adjacent,template=rel+h.upos+m.upos", 3, 6, 3, 3)
	for _, route := range []Route{DepthFirst, Bitmap} {
		o := l.options(3)
		o.Route, o.C, o.Iterations, o.Memory, o.Workers = route, 0, 3, 0, 1
		want, err := mineKept(context.Background(), emptyStore(t), l, o)
		if err != nil {
			t.Fatal(err)
		}
		failed := errors.New("no more")
		run := func(fs vfs.FS, from int) (got outcome, n int, err error) {
			n = -from
			got, err = mineKept(context.Background(), errorfs.Wrap(fs, errorfs.InjectorFunc(func(op errorfs.Op) error {
				if !strings.Contains(op.Path, "gradient") || op.Kind == errorfs.OpRemove {
					return nil
				}
				if n++; n == 0 {
					return failed
				}
				return nil
			})), l, o)
			return got, n, err
		}
		for from := 1; ; from += 7 {
			fs := emptyStore(t)
			if _, n, err := run(fs, from); n < 0 {
				break
			} else if err == nil {
				t.Fatalf("%d: no error", from)
			}
			if _, n, err := run(fs, 1+from%60); err != nil && !errors.Is(err, failed) {
				t.Fatalf("%d: %v after %d", from, err, n)
			}
			got, _, err := run(fs, math.MaxInt)
			if err != nil {
				t.Fatalf("%d: %v", from, err)
			}
			if d := cmp.Diff(want.Fragments, got.Fragments); d != "" {
				t.Fatalf("%d: -want +got:\n%s", from, d)
			}
		}
	}
}
