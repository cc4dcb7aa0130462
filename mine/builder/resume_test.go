package builder_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/mine/builder"
	"fstore/mine/internal/minetest"
	"fstore/store"
	"fstore/store/filetest"
)

// A build is interrupted, resumed, and interrupted again. In the end, its store must equal the store of a
// build without interruptions, byte for byte. After the source was read, it is not read again.
func TestBuildResumes(t *testing.T) {
	o := func(fs vfs.FS) builder.Options {
		o := minetest.Options(t, fs, 0, minetest.Samples, "stk:closed", "sstbow:closed,max-order=0", "ptk:max-order=3")
		o.ResumeKey, o.Workers = "key", 1
		o.Memory = 1 // a range a root, and ptk by levels
		return o
	}
	mem := vfs.NewMem()
	want := minetest.Same(t, minetest.Build(t, mem, o(mem)))
	fs := vfs.NewMem()
	opened := 0
	run := func(p *minetest.InterruptAfter) (err error) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		o := o(fs)
		o.Resume, o.Mode = true, store.Create
		source := o.Source
		o.Source = func(s *index.Symbols) (index.Source, error) { opened++; return source(s) }
		if p != nil {
			p.Cancel = cancel
			o.Progress = p
		}
		_, err = builder.Run(ctx, "s", o)
		return err
	}
	for i, p := range []*minetest.InterruptAfter{
		{Stage: "read"},
		{Stage: "mine stk"},
		{Stage: "mine stk", After: 1},
		{Stage: "mine stk", After: 4},
		{Stage: "mine sstbow"},
		{Stage: "mine sstbow", After: 3},
		{Stage: "mine ptk, order 3"},
	} {
		if err := run(p); !errors.Is(err, context.Canceled) {
			t.Fatalf("%d %s: %v", i, p.Stage, err)
		}
		if _, err := store.Open("s", store.Options{FS: fs}); !errors.Is(err, store.ErrNotStore) {
			t.Fatalf("%d: %v", i, err)
		}
		if wantOpened := min(i+1, 2); opened != wantOpened {
			t.Fatalf("%d: read %d times, want %d", i, opened, wantOpened)
		}
	}
	other := o(fs)
	other.Resume, other.ResumeKey = true, "other"
	if _, err := builder.Run(context.Background(), "s", other); !errors.Is(err, builder.ErrNotResumable) {
		t.Fatalf("other options: %v", err)
	}
	if err := run(nil); err != nil {
		t.Fatal(err)
	}
	s := minetest.OpenStore(t, fs)
	if d := cmp.Diff(want, minetest.Same(t, s)); d != "" {
		t.Error(d)
	}
	if p := minetest.Verify(t, s, 0); len(p) > 0 {
		t.Error(p)
	}
	if err := s.Check(t.Context(), func(p string) { t.Error(p) }, func(p string) { t.Error(p) }); err != nil {
		t.Error(err)
	}
	if names, err := fs.List(""); err != nil || len(names) != 1 {
		t.Errorf("left %v, %v", names, err)
	}
}

// Ranges that an earlier run has grown are not grown again, except ranges whose files have changed.
func TestBuildResumesRanges(t *testing.T) {
	for _, damage := range []bool{false, true} {
		fs := vfs.NewMem()
		o := minetest.Options(t, fs, 0, minetest.Samples, "stk:closed")
		o.Resume, o.Memory, o.Workers = true, 1, 1
		ctx, cancel := context.WithCancel(context.Background())
		p := &minetest.InterruptAfter{Stage: "mine stk", After: 5, Cancel: cancel}
		o.Progress = p
		if _, err := builder.Run(ctx, "s", o); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		cancel()
		names, err := fs.List("s/load")
		if err != nil {
			t.Fatal(err)
		}
		if len(names) < 4 {
			t.Fatalf("kept %v", names)
		}
		if damage {
			for _, name := range names {
				if strings.HasPrefix(name, "kept-state-") {
					continue // without it there is nothing to go on from
				}
				filetest.Write(t, fs, "s/load/"+name, []byte("something else"))
			}
		}
		o.Progress = nil
		o.Source = func(*index.Symbols) (index.Source, error) { return nil, io.ErrUnexpectedEOF }
		if p := minetest.Verify(t, minetest.Build(t, fs, o), 0); len(p) > 0 {
			t.Errorf("damage %v: %v", damage, p)
		}
	}
}

// A build that is killed at any step of its commit is resumed to the same store, and does not read its source
// again.
func TestBuildResumesFromItsEnd(t *testing.T) {
	o := func(fs vfs.FS) builder.Options {
		o := minetest.Options(t, fs, 0, 12, "stk", "seq")
		o.Resume, o.ResumeKey = true, "key"
		return o
	}
	mem := vfs.NewMem()
	want := minetest.Same(t, minetest.Build(t, mem, o(mem)))
	count := 0
	if _, err := builder.Run(context.Background(), "s", o(hooked(vfs.NewMem(), func(errorfs.Op) error { count++; return nil }))); err != nil {
		t.Fatal(err)
	}
	mem = vfs.NewCrashableMem()
	var clones []*vfs.MemFS
	n := 0
	_, err := builder.Run(context.Background(), "s", o(hooked(mem, func(errorfs.Op) error {
		if n++; n > count-120 && n%2 == 0 {
			clones = append(clones, mem.CrashClone(vfs.CrashCloneCfg{}))
		}
		return nil
	})))
	if err != nil {
		t.Fatal(err)
	}
	resumed := 0
	for i, fs := range clones {
		o := o(fs)
		o.Source = func(*index.Symbols) (index.Source, error) { return nil, errReadAgain }
		if _, err := builder.Run(context.Background(), "s", o); errors.Is(err, store.ErrExists) {
			continue // it was done
		} else if err != nil {
			t.Fatalf("%d of %d: %v", i, len(clones), err)
		}
		resumed++
		if d := cmp.Diff(want, minetest.Same(t, minetest.OpenStore(t, fs))); d != "" {
			t.Fatalf("%d of %d: %s", i, len(clones), d)
		}
	}
	if resumed < 20 {
		t.Errorf("%d of %d resumed", resumed, len(clones))
	}
}

// errReadAgain is the error of a source that a run must not open.
var errReadAgain = errors.New("the source is read again")

// A build that replaces a store does not wait for readers of the old store, and they can go on.
func TestBuildBesideReader(t *testing.T) {
	dir := t.TempDir() + "/s"
	o := minetest.Options(t, vfs.Default, 0, 12, "stk")
	if _, err := builder.Run(t.Context(), dir, o); err != nil {
		t.Fatal(err)
	}
	o = minetest.Options(t, vfs.Default, 5, 20, "stk", "seq")
	o.Mode = store.Overwrite
	var reader *store.Store
	source := o.Source
	o.Source = func(s *index.Symbols) (_ index.Source, err error) {
		if reader, err = store.Open(dir, store.Options{}); err != nil {
			return nil, err
		}
		return source(s)
	}
	r, err := builder.Run(t.Context(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Added != 20 || reader.Meta().Samples != 12 {
		t.Errorf("%d samples, and the reader sees %d", r.Added, reader.Meta().Samples)
	}
	if p := minetest.Verify(t, reader, 0); len(p) > 0 {
		t.Error(p)
	}
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
}
