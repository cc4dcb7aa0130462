package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/google/go-cmp/cmp"

	"fstore/store/disk"
	"fstore/store/filetest"
)

// stepper lets a run on a file system go on by one operation at a time, from the rename of
// a path on.
type stepper struct {
	from    string
	started bool
	ask     chan struct{} // one for each operation
	free    chan struct{} // closed: no need to ask
	ended   chan struct{} // closed: there are no more
}

func (s *stepper) hook(op errorfs.Op) error {
	if s.started = s.started || op.Kind == errorfs.OpRename && op.Path == s.from; s.started {
		select {
		case s.ask <- struct{}{}:
		case <-s.free:
		}
	}
	return nil
}

// advance lets n operations pass, and waits for the next to ask.
func (s *stepper) advance(n int) {
	for range n {
		select {
		case <-s.ask:
		case <-s.ended:
			return
		}
	}
}

// TestOpenedMeanwhile lets a writer commit while a reader opens the store: before each of its
// first operations, about where it takes its lock, the writer takes so many.
func TestOpenedMeanwhile(t *testing.T) {
	mem := prepare(t, true)
	for _, mode := range []Mode{Append, Overwrite} {
		for at := range 7 {
			for _, steps := range []int{1, 3, 10} {
				openMeanwhile(t, mem, mode, at, steps)
			}
		}
	}
}

func openMeanwhile(t *testing.T, mem vfs.FS, mode Mode, at, steps int) {
	t.Helper()
	dir := tempDir(t) + "/db"
	if _, err := vfs.Clone(mem, vfs.Default, "db", dir); err != nil {
		t.Fatal(err)
	}
	s := &stepper{
		from: dir + "/" + sealName + tempSuffix,
		ask:  make(chan struct{}), free: make(chan struct{}), ended: make(chan struct{}),
	}
	var committed error
	go func() {
		defer close(s.ended)
		committed = build(hooked(vfs.Default, s.hook), dir, mode, newSamples, 5)
	}()
	s.advance(1) // the rename is about to be taken
	n := 0
	r, err := Open(dir, Options{FS: hooked(vfs.Default, func(errorfs.Op) error {
		if n++; n == at+1 {
			s.advance(steps)
		}
		return nil
	})})
	if err != nil {
		t.Fatalf("operation %d, %d steps: %v", at, steps, err)
	}
	close(s.free)
	<-s.ended
	if n := r.Meta().Samples; n != oldSamples && n != newSamples {
		t.Errorf("operation %d, %d steps: %d samples", at, steps, n)
	}
	contentsOf(t, r)
	if err := errors.Join(committed, r.Close()); err != nil {
		t.Errorf("operation %d, %d steps: %v", at, steps, err)
	}
	if got := contents(t, vfs.Default, dir)["meta"].(Meta).Samples; got != newSamples {
		t.Errorf("operation %d, %d steps: committed %d samples", at, steps, got)
	}
}

// dataFiles are the names of the data files in dir.
func dataFiles(t *testing.T, dir string) map[string]bool {
	t.Helper()
	names, err := vfs.Default.List(dir)
	if err != nil {
		t.Fatal(err)
	}
	data := map[string]bool{}
	for _, name := range names {
		if name != sealName && !isLockName(name) {
			data[name] = true
		}
	}
	return data
}

// TestWritersBesideReaders: readers keep the states that they opened, of all kinds of writers,
// none of which waits; and a file is there for as long as a reader of a state that has it.
func TestWritersBesideReaders(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "windows" {
		t.Skip("locks are of whole files")
	}
	dir := tempDir(t) + "/db"
	if err := build(vfs.Default, dir, Create, 4, 50); err != nil {
		t.Fatal(err)
	}
	type reader struct {
		s     *Store
		want  map[string]any
		files map[string]bool
	}
	open := func() reader {
		t.Helper()
		s, err := Open(dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := reader{s: s, want: contents(t, vfs.Default, dir), files: map[string]bool{}}
		for _, name := range s.db.Names() {
			r.files[name] = true
		}
		return r
	}
	readers := map[int]reader{}
	for i, mode := range []Mode{Append, Overwrite, Append, Append, Overwrite, Overwrite, Append, Append, Append} {
		readers[i] = open()
		if i == 5 {
			for _, k := range []int{0, 2, 3, 4} { // 1 stays, and so must what was made before and after
				if err := readers[k].s.Close(); err != nil {
					t.Fatal(err)
				}
				delete(readers, k)
			}
		}
		if err := build(vfs.Default, dir, mode, 10+i, 50+i); err != nil {
			t.Fatal(err)
		}
		now := open()
		want := maps.Clone(now.files)
		if err := now.s.Close(); err != nil {
			t.Fatal(err)
		}
		for k, r := range readers {
			maps.Copy(want, r.files)
			if d := cmp.Diff(r.want, contentsOf(t, r.s)); d != "" {
				t.Errorf("the reader of state %d after commit %d (-before +now):\n%s", k, i, d)
			}
		}
		if d := cmp.Diff(want, dataFiles(t, dir)); d != "" {
			t.Errorf("after commit %d (-needed +there):\n%s", i, d)
		}
		if left := wantSound(t, vfs.Default, dir); len(left) != 1 || !strings.HasSuffix(left[0], " wait for readers of older states") {
			t.Errorf("%q", left)
		}
	}
	for _, r := range readers {
		if err := r.s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	w, err := Begin(dir, WriteOptions{Mode: Append})
	if err := errors.Join(err, w.Abort()); err != nil {
		t.Fatal(err)
	}
	if left := wantSound(t, vfs.Default, dir); len(left) > 0 {
		t.Errorf("left %q", left)
	}
}

// TestNeighboursStay: no writer of a store touches what stands beside it.
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

// TestLeftByOlder: what a killed program of format 1 left beside a store is named, and never
// used, whatever is done.
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

// wantSamples fails unless there is a sound store with so many samples, and nothing
// left in it.
func wantSamples(t *testing.T, fs vfs.FS, dir string, n uint32) {
	t.Helper()
	if left := wantSound(t, fs, dir); len(left) > 0 {
		t.Errorf("left in the store: %v", left)
	}
	if got := contents(t, fs, dir)["meta"].(Meta).Samples; got != n {
		t.Errorf("%d samples, want %d", got, n)
	}
}

// TestCommitIsInterrupted: a context that is done ends a commit before its step, and what
// has been written is there for a run that resumes.
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

// TestAppendBesideWhatStays: a file that nothing names and that cannot be deleted is no
// reason not to write.
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

// TestMade: a build that is given up leaves nothing of its own, and the directory where another
// made it, also after a run that was killed.
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

// TestSecondCrash ends the power before an operation of a run, and again before one of the run
// that clears what the first left, or of its end: no directory is blocked, and no store lost.
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

// TestUnreadableStays: what a store holds whose FSTORE cannot be read stays, until another is
// committed in its place, also when runs were killed.
func TestUnreadableStays(t *testing.T) {
	for _, o := range []WriteOptions{{}, {Keep: true}, {Resume: true}} {
		mem := vfs.NewMem()
		buildEverything(t, mem, "db")
		want := dirFiles(t, mem, "db")
		want[sealName] = []byte("fstore 2\nnonsense\n")
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

// osStore is a store on disk.
func osStore(t *testing.T, samples int) (parent, dir string) {
	t.Helper()
	parent = tempDir(t)
	dir = parent + "/db"
	if err := build(vfs.Default, dir, Create, samples, 5); err != nil {
		t.Fatal(err)
	}
	return parent, dir
}

// TestLinks: a store that is a link is that which it leads to, and the link stays.
func TestLinks(t *testing.T) {
	parent, dir := osStore(t, 3)
	link := parent + "/link"
	symlink(t, "db", link)
	for i, mode := range []Mode{Append, Overwrite, Append} {
		if err := build(vfs.Default, link, mode, 5+i, 5); err != nil {
			t.Fatal(err)
		}
		wantSamples(t, vfs.Default, dir, uint32(5+i))
		wantSamples(t, vfs.Default, link, uint32(5+i))
	}
	if to, err := os.Readlink(link); err != nil || to != "db" {
		t.Errorf("the link leads to %q, %v", to, err)
	}
	if names, err := os.ReadDir(parent); err != nil || len(names) != 2 {
		t.Errorf("left %v, %v", names, err)
	}
	nowhere := parent + "/nowhere"
	symlink(t, "absent", nowhere)
	for _, mode := range []Mode{Create, Append, Overwrite} {
		if _, err := Begin(nowhere, WriteOptions{Mode: mode}); !errors.Is(err, ErrNotStore) || !strings.Contains(err.Error(), "link to absent") {
			t.Errorf("mode %d: %v", mode, err)
		}
	}
	empty := parent + "/empty"
	if err := os.Mkdir(empty, 0o777); err != nil {
		t.Fatal(err)
	}
	symlink(t, "empty", parent+"/to-empty")
	w, err := Begin(parent+"/to-empty", WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Abort(); err != nil {
		t.Fatal(err)
	}
	if names, err := os.ReadDir(empty); err != nil || len(names) > 0 {
		t.Errorf("left %v, %v", names, err)
	}
}

func symlink(t *testing.T, to, name string) {
	t.Helper()
	err := os.Symlink(to, name)
	if info, serr := os.Lstat(name); err != nil || serr != nil || info.Mode()&iofs.ModeSymlink == 0 {
		t.Skip("no links here: ", err)
	}
}

// TestLinksInside: what a link in a store leads to is never written to, nor emptied.
func TestLinksInside(t *testing.T) {
	for _, name := range []string{"load", "FSTORE.tmp", "UNFINISHED.tmp", "000099.sst", "temporary.000009.dbtmp", "load/"} {
		for _, o := range []WriteOptions{{Mode: Append}, {Mode: Overwrite}, {Mode: Append, Resume: true}, {Mode: Overwrite, Resume: true}} {
			parent, dir := osStore(t, 3)
			target := parent + "/other"
			if err := errors.Join(os.Mkdir(target, 0o777), os.WriteFile(target+"/000001.sst", []byte("precious"), 0o666)); err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(name, "load") {
				target += "/000001.sst"
			}
			at := dir + "/" + name
			if name == "load/" {
				if err := os.Mkdir(at, 0o777); err != nil {
					t.Fatal(err)
				}
				at += "kept-dir"
			}
			symlink(t, target, at)
			w, err := Begin(dir, o)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(addSamples(w, int(w.Meta().Samples), newSamples), w.Commit()); err != nil {
				t.Fatal(err)
			}
			wantSamples(t, vfs.Default, dir, newSamples)
			if b, err := os.ReadFile(parent + "/other/000001.sst"); err != nil || string(b) != "precious" {
				t.Errorf("%s, %+v: %q, %v", name, o, b, err)
			}
		}
	}
}

// TestOnlyRegularFiles: what is no regular file, or too large, is never opened or read.
func TestOnlyRegularFiles(t *testing.T) {
	_, sound := osStore(t, oldSamples)
	names := slices.Sorted(maps.Keys(dataFiles(t, sound)))
	names = append(names, sealName, lockName, writerLockName)
	for what, make := range map[string]func(path string) error{
		"fifo": mkfifo,
		"device": func(path string) error {
			if _, err := os.Stat("/dev/zero"); err != nil {
				return err
			}
			return os.Symlink("/dev/zero", path)
		},
		"sparse": func(path string) error {
			return errors.Join(os.WriteFile(path, nil, 0o666), os.Truncate(path, 20<<30))
		},
	} {
		for _, name := range names {
			if what == "sparse" && (isLockName(name) || disk.IsCopyName(name)) {
				continue
			}
			dir := tempDir(t) + "/db"
			if err := os.CopyFS(dir, os.DirFS(sound)); err != nil {
				t.Fatal(err)
			}
			path := dir + "/" + name
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := make(path); err != nil {
				t.Skip(err)
			}
			begun := time.Now()
			problems, _, err := checkStore(vfs.Default, dir)
			if said := fmt.Sprint(problems, err); len(problems) == 0 && err == nil && name != writerLockName || !strings.Contains(said, name) && name != writerLockName {
				t.Errorf("%s in the place of %s: %s", what, name, said)
			}
			for _, mode := range []Mode{Append, Overwrite} {
				w, err := Begin(dir, WriteOptions{Mode: mode})
				if err == nil && mode == Overwrite && !isLockName(name) {
					var s *Store
					if s, err = w.Salvage(func(error) {}); err == nil {
						err = s.Close()
					}
				}
				if err != nil && !errors.Is(err, ErrDamaged) {
					t.Errorf("%s in the place of %s, mode %d: %v", what, name, mode, err)
				}
				if w != nil {
					_ = w.Abort()
				}
			}
			if took := time.Since(begun); took > 5*time.Second {
				t.Errorf("%s in the place of %s: %v", what, name, took)
			}
		}
	}
}
