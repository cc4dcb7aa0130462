package store

import (
	"context"
	"errors"
	"io"
	iofs "io/fs"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"fstore/index"
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

// TestReplacedMeanwhile lets a writer replace a store while a reader opens it: the reader
// begins between the two renames, and at one of its operations, about where it takes its
// lock, the writer takes so many.
func TestReplacedMeanwhile(t *testing.T) {
	mem := prepare(t, true)
	for at := 2; at <= 4; at++ {
		for _, steps := range []int{2, 12, 16, 17, 18, 20, 22, 24} {
			replaceMeanwhile(t, mem, at, steps)
		}
	}
}

func replaceMeanwhile(t *testing.T, mem vfs.FS, at, steps int) {
	t.Helper()
	parent := t.TempDir()
	dir := parent + "/db"
	if _, err := vfs.Clone(mem, vfs.Default, "db", dir); err != nil {
		t.Fatal(err)
	}
	s := &stepper{
		from: dir + buildingSuffix,
		ask:  make(chan struct{}), free: make(chan struct{}), ended: make(chan struct{}),
	}
	var committed error
	go func() {
		defer close(s.ended)
		committed = build(hooked(vfs.Default, s.hook), dir, Overwrite, newSamples, 5)
	}()
	s.advance(1) // the second rename is about to be taken
	free := sync.OnceFunc(func() { close(s.free) })
	n := 0
	r, err := Open(dir, Options{FS: hooked(vfs.Default, func(errorfs.Op) error {
		switch n++; n {
		case at + 1:
			s.advance(steps)
		case 20: // it waits for the writer
			free()
		}
		return nil
	})})
	free()
	<-s.ended
	if err != nil {
		t.Fatalf("operation %d, %d steps: %v", at, steps, err)
	}
	if n := r.Meta().Samples; n != oldSamples && n != newSamples {
		t.Errorf("operation %d, %d steps: %d samples", at, steps, n)
	}
	if err := errors.Join(committed, r.Close()); err != nil {
		t.Errorf("operation %d, %d steps: %v", at, steps, err)
	}
	if names, err := vfs.Default.List(parent); err != nil || len(names) != 1 {
		t.Errorf("operation %d, %d steps: left %v, %v", at, steps, names, err)
	}
}

// TestLocksLeft: what a killed run left of a store that was replaced, or of its removal,
// hinders no writer.
func TestLocksLeft(t *testing.T) {
	for _, left := range [][]string{nil, {lockName}, {writerLockName}, {lockName, writerLockName}} {
		for _, mode := range []Mode{Append, Overwrite} {
			mem := prepare(t, true)
			err := mem.MkdirAll("db"+replacedSuffix, 0o777)
			for _, name := range left {
				err = errors.Join(err, writeFile(mem, mem.PathJoin("db"+replacedSuffix, name), nil))
			}
			if err = errors.Join(err, build(mem, "db", mode, newSamples, 5)); err != nil {
				t.Errorf("%v, mode %d: %v", left, mode, err)
			}
			if names, err := mem.List("/"); err != nil || len(names) != 1 {
				t.Errorf("%v, mode %d: left %v, %v", left, mode, names, err)
			}
		}
	}
}

// TestNothingOfAnotherIsRemoved: what lies where a replaced store goes, and is not of a
// store, stays.
func TestNothingOfAnotherIsRemoved(t *testing.T) {
	mem := prepare(t, true)
	note := "db" + replacedSuffix + "/note"
	if err := errors.Join(mem.MkdirAll("db"+replacedSuffix, 0o777), writeFile(mem, note, nil)); err != nil {
		t.Fatal(err)
	}
	if err := build(mem, "db", Overwrite, newSamples, 5); !errors.Is(err, ErrNotEmpty) {
		t.Error(err)
	}
	if _, err := mem.Stat(note); err != nil {
		t.Error(err)
	}
}

// readerAtEnd begins to replace a store, which then has a reader.
func readerAtEnd(t *testing.T, o WriteOptions) (*Writer, *Store) {
	t.Helper()
	dir := t.TempDir() + "/db"
	if err := build(vfs.Default, dir, Create, oldSamples, 5); err != nil {
		t.Fatal(err)
	}
	o.Mode = Overwrite
	w, err := Begin(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Abort() })
	if err := errors.Join(addSamples(w, 0, newSamples), w.PutState(3, []byte("state")), w.Checkpoint()); err != nil {
		t.Fatal(err)
	}
	r, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return w, r
}

// onStep calls a function when a stage begins.
type onStep struct {
	index.NoProgress
	f func(stage string)
}

func (p onStep) Step(stage, _ string, _ int64) { p.f(stage) }

// TestCommitWaitsForReaders replaces a store that somebody reads.
func TestCommitWaitsForReaders(t *testing.T) {
	t.Run("until it is closed", func(t *testing.T) {
		w, r := readerAtEnd(t, WriteOptions{})
		var said string
		err := w.CommitUnread(t.Context(), onStep{f: func(stage string) {
			said = stage
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}})
		if err != nil || !strings.HasPrefix(said, "wait for the readers of ") {
			t.Errorf("%v, %q", err, said)
		}
		wantSamples(t, w.target, newSamples)
	})
	t.Run("until it is interrupted", func(t *testing.T) {
		w, r := readerAtEnd(t, WriteOptions{Resume: true})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if err := w.CommitUnread(ctx, onStep{f: func(string) { cancel() }}); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		wantSamples(t, w.target, oldSamples)
		w, err := Begin(w.target, WriteOptions{Mode: Overwrite, Resume: true})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Abort()
		if state, err := w.State(3); err != nil || string(state) != "state" || w.Meta().Samples != newSamples {
			t.Fatalf("%q, %v, %d samples", state, err, w.Meta().Samples)
		}
		if err := w.Commit(); err != nil {
			t.Fatal(err)
		}
		wantSamples(t, w.target, newSamples)
	})
}

// wantSamples fails unless there is a sound store with so many samples, and nothing
// beside it.
func wantSamples(t *testing.T, dir string, n uint32) {
	t.Helper()
	if left := wantSound(t, vfs.Default, dir); len(left) > 0 {
		t.Errorf("left in the store: %v", left)
	}
	s, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.Meta().Samples != n {
		t.Errorf("%d samples, want %d", s.Meta().Samples, n)
	}
}

// TestCommitIsInterrupted: a context that is done ends a commit before its step, and what
// has been written is there for a run that resumes.
func TestCommitIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	mem := prepare(t, true)
	w, err := Begin("db", WriteOptions{Options: Options{FS: mem}, Mode: Overwrite})
	if err != nil {
		t.Fatal(err)
	}
	if err := addSamples(w, 0, newSamples); err != nil {
		t.Fatal(err)
	}
	if err := w.CommitUnread(ctx, index.NoProgress{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if n := wantOldOrNew(t, mem, true); n != oldSamples {
		t.Errorf("%d samples", n)
	}
}

// failingRename is a file system that fails so many renames of a path with err.
func failingRename(mem vfs.FS, path string, times int, err error) vfs.FS {
	return hooked(mem, func(op errorfs.Op) error {
		if op.Kind != errorfs.OpRename || op.Path != path || times == 0 {
			return nil
		}
		times--
		return &iofs.PathError{Op: "rename", Path: path, Err: err}
	})
}

// TestBusyRename: a directory that is busy for a moment costs no run.
func TestBusyRename(t *testing.T) {
	if !isBusy(syscall.EBUSY) {
		t.Skip("the error is another here")
	}
	for _, path := range []string{"db", "db" + buildingSuffix} {
		mem := prepare(t, true)
		if err := build(failingRename(mem, path, 3, syscall.EBUSY), "db", Overwrite, newSamples, 5); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if n := wantOldOrNew(t, mem, true); n != newSamples {
			t.Errorf("%s: %d samples", path, n)
		}
	}
}

// TestRenameWithoutLocks: where locks are given up before the renames, one that fails
// leaves no stage behind, and takes none from another writer.
func TestRenameWithoutLocks(t *testing.T) {
	defer func(b bool) { renameLocked = b }(renameLocked)
	renameLocked = false
	for _, mode := range []Mode{Create, Overwrite} {
		mem := prepare(t, mode == Overwrite)
		if err := build(mem, "db", mode, newSamples, 5); err != nil {
			t.Fatal(err)
		}
		wantOldOrNew(t, mem, true)
	}
	for _, path := range []string{"db", "db" + buildingSuffix} {
		mem := prepare(t, true)
		if err := build(failingRename(mem, path, 1, syscall.EIO), "db", Overwrite, newSamples, 5); !errors.Is(err, syscall.EIO) {
			t.Errorf("%s: %v", path, err)
		}
		if names, err := mem.List("/"); err != nil || !slices.Equal(names, []string{"db"}) {
			t.Errorf("%s: left %v, %v", path, names, err)
		}
		if n := wantOldOrNew(t, mem, true); n != oldSamples {
			t.Errorf("%s: %d samples", path, n)
		}
	}
	mem := prepare(t, true)
	var other io.Closer
	err := build(hooked(mem, func(op errorfs.Op) (err error) {
		if op.Kind == errorfs.OpRename && op.Path == "db" {
			if other, err = lockToWrite(mem, "db"+buildingSuffix); err == nil {
				err = syscall.EIO
			}
		}
		return err
	}), "db", Overwrite, newSamples, 5)
	if !errors.Is(err, syscall.EIO) {
		t.Error(err)
	}
	if what, err := look(mem, "db"+buildingSuffix); what != aStore || err != nil {
		t.Errorf("the stage of another writer: %v, %v", what, err)
	}
	if err := other.Close(); err != nil {
		t.Error(err)
	}
}

// TestAppendBesideWhatStays: a file that nothing names and that cannot be deleted is no
// reason not to write.
func TestAppendBesideWhatStays(t *testing.T) {
	mem := prepare(t, true)
	if err := writeFile(mem, "db/000099.sst", []byte("of an older state")); err != nil {
		t.Fatal(err)
	}
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
	if left := wantSound(t, mem, "db"); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}
