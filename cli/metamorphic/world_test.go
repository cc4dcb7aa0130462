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

// storeDir is the store.
const storeDir = "s"

// world is one run: a store, its model, and the inputs that were written for it.
type world struct {
	t      *testing.T
	r      *rand.Rand
	fs     *vfs.MemFS // of stores
	inputs string     // a directory of the operating system
	written,
	names int // of inputs, and of selections and models
	syms   *index.Symbols
	found  found
	m      *model            // nil: there is no store
	beside map[string]string // stores whose names begin as the store's, and what is in their files
	// The state that a crash left in the store, all of it but what names its files; nil: none.
	unnamed *model
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

// logf says what is done, which is printed where something goes wrong.
func (w *world) logf(format string, args ...any) { fmt.Fprintf(&w.log, format+"\n", args...) }

// copyOf returns a copy of all that there is in a file system, synced.
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

// directories are those at the top, of stores.
func directories(t *testing.T, fs *vfs.MemFS) []string {
	t.Helper()
	names, err := fs.List("")
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// crash is what the disk has if the power fails now.
func (w *world) crash() *vfs.MemFS {
	return w.fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: one(w, 0, 50, 100), RNG: w.r})
}

// isLock says whether a path is of a lock, which is no file in memory (store/lock.go).
func isLock(fs vfs.FS, path string) bool {
	name := fs.PathBase(path)
	return name == "LOCK" || name == "WRITER"
}

// fault is what happens to a command in the middle.
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
	happened       bool       // the fault did
	left           *vfs.MemFS // what was left by a crash
}

// run runs a command line, with a fault at the at-th operation on files, from 1.
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
		case failing: // also where it tidies up
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

// operation is a command line and what it makes of the store.
type operation struct {
	args  []string
	stdin string
	// then is the store afterwards; nil: the command is refused with one of codes, and
	// leaves the store as it is.
	then  *model
	codes []int
	// resumes says that a run which was interrupted can be gone on from, with --resume.
	resumes bool
}

// step does something.
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
	// What another run has left cannot be gone on from.
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

// settle finds out which store there is after a command, and that it is one of those
// there may be.
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
		if o.left != nil && w.m != nil {
			w.unnamed = op.then
		}
		return
	}
	if err := w.differs(w.fs, storeDir, op.then); err != nil {
		fail("neither old nor new", errors.Join(old, err))
	}
	w.m, w.unnamed = op.then, nil
}

// isUnfinished says whether a run has left a new store that is not finished.
func (w *world) isUnfinished() bool {
	_, err := w.fs.Stat(w.fs.PathJoin(storeDir, "UNFINISHED"))
	return err == nil
}

// checkLeft wants nothing beside the store but what was there, as it was, and nothing in its
// place that is neither a store nor an unfinished one.
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
