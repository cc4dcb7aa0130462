package metamorphic

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/zeebo/xxh3"

	"fstore/cli"
	"fstore/index"
	"fstore/store/filetest"
)

// storeDir is the directory of the store.
const storeDir = "s"

// world is one run: a store, its model, and the inputs that were written for it.
type world struct {
	t      *testing.T
	r      *rand.Rand
	fs     *vfs.MemFS // the file system of the stores
	inputs string     // a directory of the operating system
	written,
	names int // number of names used so far for inputs, selections and models
	syms   *index.Symbols
	found  found
	m      *model            // nil: there is no store
	beside map[string]string // stores whose names begin with the store's name, with the contents of their files
	// States that failed, interrupted or crashed runs may have left in the store. Only the file that lists
	// the files of such a state is missing. A crash can also bring back files that an earlier run removed.
	unnamed []*model
	count   map[string]int
	log     strings.Builder
}

func newWorld(t *testing.T, seed uint64) *world {
	w := &world{
		t: t, r: rand.New(rand.NewPCG(seed, 0)), fs: vfs.NewCrashableMem(), inputs: t.TempDir(),
		syms: index.NewSymbols(), found: found{}, count: map[string]int{}, beside: map[string]string{},
	}
	syncNames(t, w.fs, "")
	t.Cleanup(func() {
		if t.Failed() || *seedFlag != 0 {
			t.Log("\n" + w.log.String())
		}
	})
	return w
}

// logf adds a line to the log, which is printed if the test fails.
func (w *world) logf(format string, args ...any) { fmt.Fprintf(&w.log, format+"\n", args...) }

// copyOf returns a copy of a file system in which everything is synced.
func copyOf(t *testing.T, fs *vfs.MemFS) *vfs.MemFS {
	t.Helper()
	c := vfs.NewCrashableMem()
	for _, name := range directories(t, fs) {
		if _, err := vfs.Clone(fs, c, name, name, vfs.CloneSync); err != nil {
			t.Fatal(err)
		}
	}
	syncNames(t, c, "")
	return c
}

// syncNames makes the names in a directory durable.
func syncNames(t *testing.T, fs *vfs.MemFS, dir string) {
	t.Helper()
	d, err := fs.OpenDir(dir)
	if err == nil {
		err = errors.Join(d.Sync(), d.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// directories returns the top directories, which are stores.
func directories(t *testing.T, fs *vfs.MemFS) []string {
	t.Helper()
	names, err := fs.List("")
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// crash returns the contents of the disk if the power fails now.
func (w *world) crash() *vfs.MemFS {
	return w.fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: one(w, 0, 50, 100), RNG: w.r})
}

// isLock reports whether a path is that of a lock. A lock is not a file in memory (store/disk/lock.go).
func isLock(fs vfs.FS, path string) bool {
	name := fs.PathBase(path)
	return name == "LOCK" || name == "WRITER"
}

// fault is a kind of fault while a command runs.
type fault int

const (
	none      fault = iota
	failing         // an operation on a file fails
	crashing        // the power fails before an operation
	cancelled       // ^C before an operation
	faults
)

func (f fault) String() string { return [...]string{"none", "error", "crash", "interrupt"}[f] }

// outcome is how a command line ended.
type outcome struct {
	code           int
	stdout, stderr string
	happened       bool       // the fault has happened
	left           *vfs.MemFS // the file system after a crash
}

// run runs a command line, with a fault at the file operation number `at`, counted from 1.
func (w *world) run(f fault, at int, stdin string, args ...string) outcome {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var mu sync.Mutex
	n, happened := 0, false
	var left *vfs.MemFS
	hooked := errorfs.Wrap(w.fs, errorfs.InjectorFunc(func(op errorfs.Op) error {
		mu.Lock()
		defer mu.Unlock()
		if n++; f == none || n < at || happened || f == failing && isLock(w.fs, op.Path) {
			return nil
		}
		happened = true
		switch f {
		case failing: // this includes operations of the clean-up
			return &iofs.PathError{Op: "injected", Path: op.Path, Err: syscall.EIO}
		case crashing:
			left = w.crash()
		case cancelled:
			cancel()
		}
		return nil
	}))
	o := runOn(ctx, hooked, stdin, args...)
	mu.Lock()
	defer mu.Unlock()
	o.happened, o.left = happened, left
	line := strings.ReplaceAll(strings.Join(args, " "), w.inputs+"/", "")
	if o.happened {
		line += fmt.Sprintf(" (%v at operation %d)", f, at)
	}
	w.logf("fstore %s: exit %d %s", line, o.code, strings.TrimSpace(o.stderr))
	return o
}

// runOn runs a command line over a file system.
func runOn(ctx context.Context, fs vfs.FS, stdin string, args ...string) outcome {
	var out, errs bytes.Buffer
	code := cli.Execute(ctx, fs, args, strings.NewReader(stdin), &out, &errs)
	return outcome{code: code, stdout: out.String(), stderr: errs.String()}
}

// must runs a command line that must succeed, and returns what it prints.
func (w *world) must(args ...string) string {
	w.t.Helper()
	o := w.run(none, 0, "", args...)
	if o.code != 0 {
		w.t.Fatalf("exit %d", o.code)
	}
	return o.stdout
}

// operation is a command line, with the model of the store after it.
type operation struct {
	args  []string
	stdin string
	// The model of the store after the command. If it is nil, the command must fail with one of `codes`, and
	// leave the store as it is.
	then  *model
	codes []int
	// An interrupted run can continue with --resume.
	resumes bool
}

// step runs one random operation and checks the store.
func (w *world) step() {
	name, op := w.random()
	w.count[name]++
	if op == nil {
		return
	}
	f := none
	if w.r.IntN(5) < 2 {
		f = 1 + fault(w.r.IntN(int(faults)-1))
	}
	args := op.args
	// The unfinished store of another run cannot be continued.
	resumed := op.resumes && (f == crashing || f == cancelled) && !w.isUnfinished() && w.r.IntN(2) == 0
	if resumed {
		args = append(slices.Clone(args), "--resume")
	}
	at := 1 + int(float64(1+w.r.IntN(30))*float64(1+w.r.IntN(30)))
	o := w.run(f, at, op.stdin, args...)
	if o.happened {
		w.count[f.String()]++
	}
	if o.left != nil {
		w.fs = o.left
	}
	w.settle(op, o)
	if resumed && w.m != op.then && (o.left != nil || o.code == 130) {
		w.count["resume"]++
		if o = w.run(none, 0, op.stdin, args...); o.code != 0 && !slices.Contains(op.codes, o.code) {
			w.t.Fatal("a resumed run fails")
		}
		w.settle(op, o)
	}
	w.checkLeft(op, o)
}

// settle finds out which store exists after a command. It must be one of the allowed stores.
func (w *world) settle(op *operation, o outcome) {
	w.t.Helper()
	fail := func(what string, err error) {
		w.t.Helper()
		w.t.Fatalf("%s: %v\nbefore: %s\nafter: %s", what, err, w.m.sketch(), op.then.sketch())
	}
	old := w.differs(w.fs, storeDir, w.m)
	if op.then == nil || old == nil && slices.Contains(op.codes, o.code) {
		if old != nil {
			fail("what was refused has changed the store", old)
		}
		if !o.happened && !slices.Contains(op.codes, o.code) {
			fail("exit code", fmt.Errorf("%d, want one of %v", o.code, op.codes))
		}
		return
	}
	switch {
	case !o.happened && o.code != 0:
		fail("it fails", nil)
	case old == nil && (o.code != 0 || o.left != nil):
		if w.m == nil && o.left == nil && !slices.Contains([]int{1, 130}, o.code) {
			fail("exit code", fmt.Errorf("%d", o.code))
		}
		if w.m != nil {
			w.unnamed = append(w.unnamed, op.then)
		}
		return
	}
	if err := w.differs(w.fs, storeDir, op.then); err != nil {
		fail("neither old nor new", errors.Join(old, err))
	}
	w.m, w.unnamed = op.then, nil
}

// isUnfinished reports whether a run has left an unfinished new store.
func (w *world) isUnfinished() bool {
	_, err := w.fs.Stat(w.fs.PathJoin(storeDir, "UNFINISHED"))
	return err == nil
}

// checkLeft checks the files after a command. Beside the store, nothing must be new or changed. The store's
// directory must have a store or an unfinished store, or be missing.
func (w *world) checkLeft(op *operation, o outcome) {
	w.t.Helper()
	names := directories(w.t, w.fs)
	for _, name := range names {
		if _, ok := w.beside[name]; name != storeDir && !ok && strings.HasPrefix(name, storeDir) {
			w.t.Fatalf("left %v", names)
		}
	}
	for name, want := range w.beside {
		if got := w.bytesOf(name); got != want {
			w.t.Fatalf("%s is another than it was: %s, want %s", name, got, want)
		}
	}
	if !o.happened && op.then == nil && w.m == nil && slices.Contains(names, storeDir) && !w.isUnfinished() {
		w.t.Fatalf("a store that was refused has left its directory")
	}
}

// bytesOf sums up the files in a directory.
func (w *world) bytesOf(dir string) string {
	w.t.Helper()
	names, err := w.fs.List(dir)
	if err != nil {
		w.t.Fatal(err)
	}
	slices.Sort(names)
	h := xxh3.New()
	for _, name := range names {
		fmt.Fprintln(h, name)
		_, _ = h.Write(filetest.Read(w.t, w.fs, w.fs.PathJoin(dir, name)))
	}
	return fmt.Sprintf("%d files, %x", len(names), h.Sum64())
}
