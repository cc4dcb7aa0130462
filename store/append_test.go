package store

import (
	"bufio"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/store/filetest"
)

// contents returns everything that a store holds, except generations.
func contents(t testing.TB, fs vfs.FS, dir string) map[string]any {
	t.Helper()
	s, err := Open(dir, Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	return contentsOf(t, s)
}

func contentsOf(t testing.TB, s *Store) map[string]any {
	t.Helper()
	m := *s.Meta()
	m.Generation, m.LabelGeneration, m.History, m.Files = 0, 0, nil, nil
	m.Spaces = slices.Clone(m.Spaces)
	for i := range m.Spaces {
		m.Spaces[i].Generation, m.Spaces[i].Expansion = 0, ""
	}
	c := map[string]any{"meta": m}
	syms, err := s.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	err = s.Samples(0, m.Samples, func(id uint32, tr *index.Tree) error {
		c[fmt.Sprint("sample ", id)] = fmt.Sprintf("%q %q %q %v %v %v %x", tr.Name, tr.Label, tr.Document, tr.Score, tr.Gold, tr.Corrections, index.AppendTree(nil, tr))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for class := range index.NumClasses {
		for id := 1; id <= syms.Len(class); id++ {
			c[fmt.Sprint(class, " ", id)] = string(syms.Bytes(class, uint32(id)))
		}
	}
	labels, err := s.LabelBitmaps()
	if err != nil {
		t.Fatal(err)
	}
	for label, bm := range labels {
		c["label "+label] = bm.ToArray()
	}
	for _, space := range m.Spaces {
		it, err := s.Iter(space.Number, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		for it.Next() {
			c[fmt.Sprintf("fragment %d %x", space.Number, []byte(it.Key()))] = string(it.Value())
		}
		if err := it.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// TestAppendEqualsBuildingAtOnce compares appended, overwritten and resumed stores with a store that is built
// at once.
func TestAppendEqualsBuildingAtOnce(t *testing.T) {
	fs := vfs.NewMem()
	if err := build(fs, "once", Create, 50, 3000); err != nil {
		t.Fatal(err)
	}
	want := contents(t, fs, "once")
	if err := build(fs, "db", Create, 20, 1000); err != nil {
		t.Fatal(err)
	}
	for i, n := range []int{35, 36, 50} {
		if err := build(fs, "db", Append, n, 3000); err != nil {
			t.Fatal(err)
		}
		if left := wantSound(t, fs, "db"); len(left) > 0 {
			t.Errorf("append %d: %v", i, left)
		}
	}
	if d := cmp.Diff(want, contents(t, fs, "db")); d != "" {
		t.Errorf("appended (-once +appended):\n%s", d)
	}
	if err := build(fs, "other", Create, 3, 7); err != nil {
		t.Fatal(err)
	}
	if err := build(fs, "other", Overwrite, 50, 3000); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, contents(t, fs, "other")); d != "" {
		t.Errorf("overwritten (-once +overwritten):\n%s", d)
	}

	w, err := Begin("resumed", WriteOptions{Options: Options{FS: fs}, Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(addSamples(w, 0, 50), w.Checkpoint(), putState(w, 0, "range 3")); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(addFragments(w, 0, 10, 1), w.Abort()); err != nil {
		t.Fatal(err)
	}
	w, err = Begin("resumed", WriteOptions{Options: Options{FS: fs}, Resume: true})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := state(w, 0); !w.Resumed() || w.Meta().Samples != 50 || text != "range 3" || err != nil {
		t.Fatalf("resumed %v, %d samples, state %q, %v", w.Resumed(), w.Meta().Samples, text, err)
	}
	if err := errors.Join(addFragments(w, 0, 3000, 1), w.Commit()); err != nil {
		t.Fatal(err)
	}
	if left := wantSound(t, fs, "resumed"); len(left) > 0 {
		t.Errorf("resumed: %v", left)
	}
	if d := cmp.Diff(want, contents(t, fs, "resumed")); d != "" {
		t.Errorf("resumed (-once +resumed):\n%s", d)
	}
}

// TestResumeWithoutCheckpoint starts from nothing.
func TestResumeWithoutCheckpoint(t *testing.T) {
	fs := vfs.NewMem()
	for _, state := range []string{"nothing", "no checkpoint", "damaged"} {
		w, err := Begin("db", WriteOptions{Options: Options{FS: fs}, Keep: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(addSamples(w, 0, 5), w.Abort()); err != nil {
			t.Fatal(err)
		}
		if state == "damaged" {
			filetest.Write(t, fs, "db/MANIFEST-000001", []byte("nonsense"))
		}
		w, err = Begin("db", WriteOptions{Options: Options{FS: fs}, Resume: true})
		if err != nil {
			t.Fatal(state, err)
		}
		if w.Resumed() || w.Meta().Samples != 0 {
			t.Errorf("%s: resumed, %d samples", state, w.Meta().Samples)
		}
		if err := w.Abort(); err != nil {
			t.Fatal(err)
		}
		if names, _ := fs.List("db"); len(names) == 0 {
			t.Errorf("%s: Resume did not keep what there is", state)
		}
	}
}

// Kept files stay for a run that resumes, whether the earlier run was aborted or killed. Any other run
// removes them.
func TestKeptFiles(t *testing.T) {
	mem := vfs.NewMem()
	if err := build(mem, "db", Create, 5, 10); err != nil {
		t.Fatal(err)
	}
	begin := func(fs vfs.FS, resume bool) *Writer {
		t.Helper()
		w, err := Begin("db", WriteOptions{Options: Options{FS: fs}, Mode: Append, Resume: resume})
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	write := func(f vfs.File, err error) error {
		if err != nil {
			return err
		}
		_, err = f.Write([]byte("entries"))
		return errors.Join(err, f.Close())
	}
	for _, c := range []struct{ killed, first, second, kept bool }{
		{false, true, true, true},
		{false, true, false, false},
		{false, false, true, false},
		{true, true, true, true},
		{true, false, true, true},
		{true, true, false, false},
	} {
		w := begin(mem, c.first)
		kept, err := w.Scratch().CreateKept("a")
		if err != nil {
			t.Fatal(err)
		}
		err = errors.Join(kept.Finish(), write(w.Scratch().Create("b")),
			putState(w, 0, "nothing is whole"), putState(w, 0, "a is whole"))
		fs := mem
		if c.killed {
			fs = fsOf(t, mem, "db")
		}
		if err := errors.Join(err, w.Abort()); err != nil {
			t.Fatal(err)
		}
		w = begin(fs, c.second)
		text, stateErr := state(w, 0)
		if stateErr == nil && text != "a is whole" {
			t.Errorf("%+v: the state is %q", c, text)
		}
		keptErr := w.Scratch().Kept("a").Read(func(*bufio.Reader) error { return nil })
		_, scratchErr := w.Scratch().Open("b", vfs.SequentialReadsOption)
		if (stateErr == nil) != c.kept || (keptErr == nil) != c.kept || scratchErr == nil {
			t.Errorf("%+v: the state %v, the kept file %v, scratch %v", c, stateErr, keptErr, scratchErr)
		}
		if err := w.Commit(); err != nil || c.kept && keptErr != nil {
			t.Fatal(err, keptErr)
		}
		if left := wantSound(t, fs, "db"); len(left) > 0 {
			t.Errorf("%+v: %v", c, left)
		}
	}
}
