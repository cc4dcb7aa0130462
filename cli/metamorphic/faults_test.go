package metamorphic

import (
	"context"
	"errors"
	"flag"
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

	"fstore/index"
	"fstore/store"
)

var pointsFlag = flag.Int("points", 3, "operations on files of each command at which TestFaults tries each fault")

// commands are the commands that write. Each runs over the store that newFaulty makes.
var commands = []struct {
	name  string
	stdin string
	args  func(w *world) []string
}{
	{"build", "", func(w *world) []string {
		return slices.Concat([]string{"build", storeDir, "--overwrite", "--space", "stk", "--space", "emb"}, inputsOf(w.m.samples))
	}},
	{"append", "", func(w *world) []string {
		return slices.Concat([]string{"build", storeDir, "--append"}, inputsOf(w.input(index.Constituency, 3)))
	}},
	{"mine support", "", args("mine", storeDir, "--name", "new", "--by", "support", "--space", "stk", "--min-support", "1", "--max-order", "0")},
	{"mine chi2", "", args("mine", storeDir, "--name", "new", "--by", "chi2", "--tau", "1", "--space", "seq", "--memory", "1KiB", "--max-order", "5")},
	{"mine relevance", "", args("mine", storeDir, "--name", "new", "--by", "relevance", "--model", "m", "--space", "stk", "--sigma", "0.01")},
	{"mine gradient", "", args("mine", storeDir, "--name", "new", "--by", "gradient", "--space", "stk", "--min-count", "1", "--memory", "1KiB")},
	{"select", "", args("select", storeDir, "--from", "sel", "--name", "new", "--where", "order <= 2")},
	{"select stored", "", args("select", storeDir, "--space", "stk", "--name", "new", "--where", "order <= 2")},
	{"train", "", args("train", storeDir, "--name", "new", "--kernel", "seq")},
	{"train linear", "", args("train", storeDir, "--name", "new", "--space", "stk", "--learner", "l1-svm")},
	{"train where", "", args("train", storeDir, "--name", "new", "--space", "stk", "--learner", "l1-svm", "--where", "order <= 2")},
	{"import", "[u]\n[v]\n", args("import", storeDir, "-", "--name", "new", "--space", "seq")},
	{"remove", "", args("remove", storeDir, "--label", "y")},
	{"reindex", "", args("reindex", storeDir)},
}

func args(all ...string) func(*world) []string { return func(*world) []string { return all } }

// newFaulty returns a world with a store that has two spaces, a selection and a model.
func newFaulty(t *testing.T) *world {
	w := newWorld(t, 7)
	w.m = &model{}
	for len(w.m.labels()) < 2 || len(w.m.samples) < 16 || !slices.Contains(w.m.labels(), "y") {
		w.m.samples = append(w.m.samples, w.input(index.Constituency, 5)...)
	}
	w.must(slices.Concat([]string{"build", storeDir, "--space", "stk:min-support=2", "--space", "seq:max-order=3"}, inputsOf(w.m.samples))...)
	w.must("mine", storeDir, "--name", "sel", "--by", "support", "--space", "stk", "-q")
	w.must("train", storeDir, "--name", "m", "--kernel", "stk", "--positive", "y", "-q")
	return w
}

// historyLine begins the line of a snapshot that says how many entries the history has.
const historyLine = "history "

// snapshot returns all contents of the store as text. The store must have no damage.
func (w *world) snapshot() (all string) {
	w.t.Helper()
	if o := w.run(none, 0, "", "verify", storeDir, "-q", "--workers", "1"); o.code != 0 {
		w.t.Errorf("it does not verify: exit %d\n%s%s", o.code, o.stdout, o.stderr)
		return "damaged"
	}
	lines, err := dump(w.fs, storeDir)
	s, oerr := store.Open(storeDir, store.Options{FS: w.fs})
	if err = errors.Join(err, oerr); err != nil {
		w.t.Error(err)
		return "damaged"
	}
	defer s.Close()
	m := s.Meta()
	lines = append(lines, fmt.Sprint(historyLine, len(m.History)), fmt.Sprint(m.Samples, " samples"))
	for _, sel := range m.Selections {
		err = errors.Join(err, s.Entries(sel.Name, 1, sel.Features+1, func(_ uint32, e *store.Entry) error {
			lines = append(lines, fmt.Sprintf("%s %x %v %v", sel.Name, e.Code, e.Score, e.Stats))
			return nil
		}))
	}
	for _, d := range m.Models {
		b, merr := s.Model(d.Name)
		err = errors.Join(err, merr)
		lines = append(lines, fmt.Sprintf("%s %x", d.Name, b))
	}
	if err != nil {
		w.t.Error(err)
	}
	return strings.Join(lines, "\n")
}

// calamity is a fault of the disk that begins at some operation.
type calamity struct {
	name string
	// `fails` returns the error of operation n since the fault began.
	fails func(op errorfs.Op, n int) error
}

func isWrite(op errorfs.Op) bool { return op.Kind.ReadOrWrite() == errorfs.OpIsWrite }

func failure(op errorfs.Op, err syscall.Errno) error {
	return &iofs.PathError{Op: "injected", Path: op.Path, Err: err}
}

var calamities = []calamity{
	{"error", func(op errorfs.Op, n int) error {
		if n > 0 {
			return nil
		}
		return failure(op, syscall.EIO)
	}},
	{"no space", func(op errorfs.Op, _ int) error {
		if !isWrite(op) || op.Kind == errorfs.OpRemove || op.Kind == errorfs.OpRemoveAll || op.Kind == errorfs.OpFileClose {
			return nil
		}
		return failure(op, syscall.ENOSPC)
	}},
	{"unreadable", func(op errorfs.Op, _ int) error {
		if op.Kind != errorfs.OpFileRead && op.Kind != errorfs.OpFileReadAt {
			return nil
		}
		return failure(op, syscall.EIO)
	}},
	{"too many files", func(op errorfs.Op, _ int) error {
		if op.Kind != errorfs.OpOpen && op.Kind != errorfs.OpCreate && op.Kind != errorfs.OpOpenDir {
			return nil
		}
		return failure(op, syscall.EMFILE)
	}},
}

// disaster runs a command over a copy of the store, and calls the function hook before each operation on
// files. Operations are numbered from 1.
func (w *world) disaster(stdin string, args []string, hook func(op errorfs.Op, n int) error) (o outcome, operations int) {
	var mu sync.Mutex
	n := 0
	o = runOn(context.Background(), errorfs.Wrap(w.fs, errorfs.InjectorFunc(func(op errorfs.Op) error {
		mu.Lock()
		defer mu.Unlock()
		if isLock(w.fs, op.Path) {
			return nil
		}
		n++
		return hook(op, n)
	})), stdin, args...)
	mu.Lock()
	defer mu.Unlock()
	return o, n
}

// TestFaults makes the disk fail, the power fail or the directory vanish, at some operations of every command
// that writes. After that the store must be the old or the new store, without damage.
func TestFaults(t *testing.T) {
	base := newFaulty(t)
	for _, c := range commands {
		t.Run(c.name, func(t *testing.T) {
			w := &world{t: t, r: rand.New(rand.NewPCG(1, 0)), fs: copyOf(t, base.fs), inputs: base.inputs, syms: base.syms, m: base.m, written: 100}
			sound := w.fs
			again := func() { w.fs = copyOf(t, sound) }
			args := append(c.args(w), "-q", "--workers", "1")
			if c.name == "reindex" || strings.HasPrefix(c.name, "select") || c.name == "import" {
				args = args[:len(args)-2]
			}
			old := w.snapshot()
			again()
			o, operations := w.disaster(c.stdin, args, func(errorfs.Op, int) error { return nil })
			if o.code != 0 {
				t.Fatalf("%v: exit %d: %s", args, o.code, o.stderr)
			}
			changed := w.snapshot()
			if changed == old {
				t.Fatal("nothing has changed")
			}
			olds, news := 0, 0
			check := func(what string, at int, o outcome) {
				t.Helper()
				switch got := w.snapshot(); {
				case strings.Contains(o.stderr, "internal error"):
					t.Errorf("%s at operation %d of %d: %s", what, at, operations, o.stderr)
				case got == old && o.code != 0:
					olds++
				case got == changed:
					news++
				default:
					t.Errorf("%s at operation %d of %d: exit %d, %s; %.80q", what, at, operations, o.code, o.stderr, got)
				}
			}
			for point := range *pointsFlag {
				at := 1 + (operations-1)*point/max(*pointsFlag-1, 1)
				at = max(1, min(operations, at+w.r.IntN(max(operations / *pointsFlag, 1)) - operations / *pointsFlag / 2))
				for _, c2 := range calamities {
					again()
					o, _ := w.disaster(c.stdin, args, func(op errorfs.Op, n int) error {
						if n < at {
							return nil
						}
						return c2.fails(op, n-at)
					})
					if o.code == 4 {
						t.Errorf("%s at operation %d is said to be damage: %s", c2.name, at, o.stderr)
					}
					check(c2.name, at, o)
				}
				again()
				var left *vfs.MemFS
				w.disaster(c.stdin, args, func(_ errorfs.Op, n int) error {
					if n == at {
						left = w.crash()
					}
					return nil
				})
				if w.fs = left; left != nil {
					check("crash", at, outcome{code: 1})
				}
				again()
				o, _ := w.disaster(c.stdin, args, func(_ errorfs.Op, n int) error {
					if n == at {
						_ = w.fs.RemoveAll(storeDir)
					}
					return nil
				})
				if strings.Contains(o.stderr, "internal error") {
					t.Errorf("the directory vanishes at operation %d: %s", at, o.stderr)
				}
			}
			if olds == 0 {
				t.Error("the old store was never seen")
			}
			t.Logf("%d operations; old %d times, new %d times", operations, olds, news)
		})
	}
}

// readings returns command lines that only read.
func (w *world) readings() [][]string {
	return [][]string{
		{"verify", storeDir, "-q", "--workers", "1"},
		{"info", storeDir},
		{"query", storeDir, "--space", "stk"},
		{"query", storeDir, "--selection", "sel"},
		{"export", storeDir, "sel", "-"},
		{"examples", storeDir, "--space", "seq", "[u]"},
		{"linearize", storeDir, "--space", "seq", "--training", "-q"},
		{"linearize", storeDir, "--space", "stk", "--training", "--where", "support > 2", "-q"},
		{"predict", storeDir, "--model", "m", w.m.samples[0].input, "-q"},
		{"contrast", storeDir, "y", "--space", "stk"},
	}
}

// If too few files can be opened or the disk fails, a reader must not report damage, and must not print a
// wrong answer.
func TestFaultsOfReaders(t *testing.T) {
	w := newFaulty(t)
	for _, args := range w.readings() {
		want, operations := w.disaster("", args, func(errorfs.Op, int) error { return nil })
		if want.code != 0 {
			t.Fatalf("%v: exit %d: %s", args, want.code, want.stderr)
		}
		for _, c := range calamities {
			for at := 1; at <= operations; at += 1 + operations/(8**pointsFlag) {
				o, _ := w.disaster("", args, func(op errorfs.Op, n int) error {
					if n < at {
						return nil
					}
					return c.fails(op, n-at)
				})
				if args[0] == "verify" && o.code == 4 && strings.Contains(o.stdout, "input/output error") {
					continue // the user must know about such a fault of the disk
				}
				if o.code != 1 && (o.code != 0 || o.stdout != want.stdout) {
					t.Errorf("%v, %s at operation %d of %d: exit %d: %s%s", args, c.name, at, operations, o.code, o.stdout, o.stderr)
				}
			}
		}
	}
}

// If nothing can be written into a directory, its store can still be read. All commands that write must fail.
func TestReadOnly(t *testing.T) {
	w := newFaulty(t)
	old := w.snapshot()
	readOnly := func(op errorfs.Op, _ int) error {
		if isWrite(op) && op.Kind != errorfs.OpFileClose {
			return failure(op, syscall.EROFS)
		}
		return nil
	}
	for _, args := range w.readings() {
		if o, _ := w.disaster("", args, readOnly); o.code != 0 {
			t.Errorf("%v: exit %d: %s", args, o.code, o.stderr)
		}
	}
	for _, c := range commands {
		if o, _ := w.disaster(c.stdin, append(c.args(w), "-q"), readOnly); o.code != 1 || !strings.Contains(o.stderr, "read-only") {
			t.Errorf("%s: exit %d: %s", c.name, o.code, o.stderr)
		}
	}
	if got := w.snapshot(); got != old {
		t.Error("the store has changed")
	}
}
