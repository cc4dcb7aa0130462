package store

import (
	"errors"
	"maps"
	"runtime"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/google/go-cmp/cmp"
)

// stepper lets a run go on by one file system operation at a time, beginning with the rename of a path.
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

// advance lets the next n operations begin, or fewer if the run ends before.
func (s *stepper) advance(n int) {
	for range n {
		select {
		case <-s.ask:
		case <-s.ended:
			return
		}
	}
}

// TestOpenedMeanwhile lets a writer commit while a reader opens the store. Before one of the reader's first
// operations, the writer makes 1, 3 or 10 operations.
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

// TestWritersBesideReaders: readers keep the states that they have opened, beside all kinds of writers, and
// no writer waits. A file stays as long as a reader has a state with this file.
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
