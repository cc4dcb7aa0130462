package store

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"fstore/index"
)

func TestBeginRefuses(t *testing.T) {
	fs := vfs.NewMem()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(build(fs, "db", Create, 10, 10))
	must(fs.MkdirAll("empty", 0o777))
	must(fs.MkdirAll("other", 0o777))
	must(writeFile(fs, "other/file", nil))
	must(writeFile(fs, "file", nil))
	must(fs.MkdirAll("taken.building", 0o777))
	must(writeFile(fs, "taken.building/precious", nil))
	must(fs.MkdirAll("newer", 0o777))
	must(writeFile(fs, "newer/"+sealName, (&seal{version: FormatVersion + 1}).encode()))
	must(fs.MkdirAll("older", 0o777))
	must(writeFile(fs, "older/"+sealName, (&seal{version: 0}).encode()))
	for _, c := range []struct {
		dir  string
		mode Mode
		want error
	}{
		{"db", Create, ErrExists},
		{"other", Create, ErrNotEmpty},
		{"other", Append, ErrNotEmpty},
		{"other", Overwrite, ErrNotEmpty},
		{"file", Create, ErrNotEmpty},
		{"absent", Append, ErrNotStore},
		{"empty", Append, ErrNotStore},
		{"taken", Create, ErrNotEmpty},
		{"newer", Create, ErrExists},
		{"newer", Append, ErrVersion},
		{"older", Append, ErrVersion},
		{"db", Append, nil},
		{"db", Overwrite, nil},
		{"db/", Overwrite, nil},
		{"empty", Create, nil},
		{"new", Overwrite, nil},
		{"newer", Overwrite, nil},
	} {
		w, err := Begin(c.dir, WriteOptions{Options: Options{FS: fs}, Mode: c.mode})
		if !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			t.Errorf("Begin(%q, %d) = %v, want %v", c.dir, c.mode, err, c.want)
		}
		if err == nil {
			if err := w.Abort(); err != nil {
				t.Errorf("Abort: %v", err)
			}
		} else {
			t.Log(err)
		}
	}
	wantSound(t, fs, "db")
	names, err := fs.List("")
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	if d := cmp.Diff([]string{"db", "empty", "file", "newer", "older", "other", "taken.building"}, names); d != "" {
		t.Errorf("left behind (-want +got):\n%s", d)
	}
}

func TestOpenRefuses(t *testing.T) {
	fs := vfs.NewMem()
	_ = fs.MkdirAll("empty", 0o777)
	_ = fs.MkdirAll("newer", 0o777)
	_ = writeFile(fs, "newer/"+sealName, (&seal{version: FormatVersion + 1}).encode())
	_ = writeFile(fs, "file", nil)
	for dir, want := range map[string]error{
		"absent": ErrNotStore, "empty": ErrNotStore, "file": ErrNotStore, "newer": ErrVersion,
	} {
		if _, err := Open(dir, Options{FS: fs}); !errors.Is(err, want) {
			t.Errorf("Open(%q) = %v, want %v", dir, err, want)
		}
	}
}

// contents reads everything that a store says, but for generations.
func contents(t testing.TB, fs vfs.FS, dir string) map[string]any {
	t.Helper()
	s, err := Open(dir, Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
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
		c[fmt.Sprint("sample ", id)] = fmt.Sprintf("%q %q %q %v %x", tr.Name, tr.Label, tr.Document, tr.Score, index.AppendTree(nil, tr))
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

// TestAppendEqualsBuildingAtOnce also holds for overwriting, and for a build that
// is resumed.
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

	w, err := Begin("resumed", WriteOptions{Options: Options{FS: fs}, KeepStage: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(addSamples(w, 0, 50), w.Checkpoint(), w.PutState(0, []byte("range 3"))); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(addFragments(w, 0, 10, 1), w.Abort()); err != nil {
		t.Fatal(err)
	}
	w, err = Begin("resumed", WriteOptions{Options: Options{FS: fs}, Resume: true})
	if err != nil {
		t.Fatal(err)
	}
	if state, err := w.Store().State(0); !w.Resumed() || w.Meta().Samples != 50 || string(state) != "range 3" || err != nil {
		t.Fatalf("resumed %v, %d samples, state %q, %v", w.Resumed(), w.Meta().Samples, state, err)
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
		w, err := Begin("db", WriteOptions{Options: Options{FS: fs}, KeepStage: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(addSamples(w, 0, 5), w.Abort()); err != nil {
			t.Fatal(err)
		}
		if state == "damaged" {
			if err := writeFile(fs, "db.building/MANIFEST-000001", []byte("nonsense")); err != nil {
				t.Fatal(err)
			}
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
		if names, _ := fs.List("db.building"); len(names) == 0 {
			t.Errorf("%s: Resume did not keep the stage", state)
		}
	}
}

// TestOpenFilesStay runs on a file system where an open file cannot be removed.
func TestOpenFilesStay(t *testing.T) {
	fs := vfs.NewMem()
	fs.UseWindowsSemantics(true)
	for i, mode := range []Mode{Create, Append, Overwrite} {
		if err := build(fs, "db", mode, 10+i, 100); err != nil {
			t.Fatal(mode, err)
		}
		if left := wantSound(t, fs, "db"); len(left) > 0 {
			t.Errorf("mode %d: %v", mode, left)
		}
	}
}

// TestLoadersSideBySide loads ranges of all sizes from several goroutines.
func TestLoadersSideBySide(t *testing.T) {
	fs := vfs.NewMem()
	w, err := Begin("db", WriteOptions{Options: Options{FS: fs}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if err := addSamples(w, 0, 30); err != nil {
		t.Fatal(err)
	}
	n := w.SetSpace(SpaceInfo{ID: "stk"})
	ends := []int{0, 1, 1, 500, 60_000, 60_010, 61_500, 130_000, 131_000}
	loaders := make([]*FragmentLoader, len(ends)-1)
	var wg sync.WaitGroup
	errs := make([]error, len(loaders))
	for r := range loaders {
		wg.Go(func() {
			errs[r] = func() (err error) {
				if loaders[r], err = w.Fragments(n); err != nil {
					return err
				}
				for i := ends[r]; i < ends[r+1]; i++ {
					if err := loaders[r].Put(testCode(i), testValue(i)); err != nil {
						return err
					}
				}
				return loaders[r].Close()
			}()
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	if f, err := w.FinishFragments(n); err != nil || f != 131_000 {
		t.Fatal(f, err)
	}
	for r, l := range loaders {
		if l.Len() > 0 && int(l.Base()) != ends[r] {
			t.Errorf("range %d: base %d, want %d", r, l.Base(), ends[r])
		}
	}
	if _, err := w.Store().Rank(n, testCode(60_005)); err != nil { // before Commit
		t.Error(err)
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	wantSound(t, fs, "db")
	s, err := Open("db", Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, i := range []int{0, 1, 499, 500, 1023, 1024, 59_999, 60_000, 60_009, 130_999} {
		id, err := s.Rank(0, testCode(i))
		if err != nil || int(id) != i+1 {
			t.Errorf("Rank of fragment %d = %d, %v", i, id, err)
		}
		c, err := s.ByRank(0, uint32(i)+1, nil)
		if err != nil || string(c) != string(testCode(i)) {
			t.Errorf("ByRank(%d) = %x, %v", i+1, c, err)
		}
	}
	for _, c := range []index.Code{{}, {0}, testCode(131_000), append(testCode(5), 1)} {
		if id, err := s.Rank(0, c); !errors.Is(err, ErrNotFound) {
			t.Errorf("Rank(%x) = %d, %v", []byte(c), id, err)
		}
	}
	for _, id := range []uint32{0, 131_001} {
		if _, err := s.ByRank(0, id, nil); !errors.Is(err, ErrNotFound) {
			t.Errorf("ByRank(%d): %v", id, err)
		}
	}
}

func TestLoadersRefuse(t *testing.T) {
	for name, load := range map[string]func(w *Writer, n uint32) error{
		"descending": func(w *Writer, n uint32) error {
			l, _ := w.Fragments(n)
			return errors.Join(l.Put(testCode(2), testValue(0)), l.Put(testCode(1), testValue(0)))
		},
		"twice": func(w *Writer, n uint32) error {
			l, _ := w.Fragments(n)
			return errors.Join(l.Put(testCode(2), testValue(0)), l.Put(testCode(2), testValue(0)))
		},
		"overlap": func(w *Writer, n uint32) error {
			for _, at := range []int{1, 2} {
				l, _ := w.Fragments(n)
				if err := errors.Join(l.Put(testCode(at), testValue(0)), l.Put(testCode(at+10), testValue(0)), l.Close()); err != nil {
					t.Fatal(err)
				}
			}
			_, err := w.FinishFragments(n)
			return err
		},
		"not closed": func(w *Writer, n uint32) error {
			l, _ := w.Fragments(n)
			_ = l.Put(testCode(2), testValue(0))
			_, err := w.FinishFragments(n)
			return err
		},
		"not finished": func(w *Writer, _ uint32) error { return w.Commit() },
		"no space": func(w *Writer, n uint32) error {
			_, err := w.Fragments(n + 1)
			return err
		},
		"other kind": func(w *Writer, _ uint32) error {
			sw, _ := w.Samples()
			_, err := sw.Add(&index.Tree{})
			_, err2 := sw.Add(&index.Tree{Kind: index.Dependency})
			if err != nil {
				t.Fatal(err)
			}
			return err2
		},
		"samples not closed": func(w *Writer, n uint32) error {
			if _, err := w.Samples(); err != nil {
				t.Fatal(err)
			}
			return w.Commit()
		},
		"file not created": func(w *Writer, n uint32) error {
			_, _ = w.FinishFragments(n)
			w.Meta().Spaces[n].Expansion = "expansion-9-9"
			return w.Commit()
		},
	} {
		t.Run(name, func(t *testing.T) {
			fs := vfs.NewMem()
			w, err := Begin("db", WriteOptions{Options: Options{FS: fs}})
			if err != nil {
				t.Fatal(err)
			}
			err = load(w, w.SetSpace(SpaceInfo{ID: "stk"}))
			if err == nil {
				t.Fatal("accepted")
			}
			t.Log(err)
			if err := w.Abort(); err != nil {
				t.Fatal(err)
			}
			if names, _ := fs.List(""); len(names) > 0 {
				t.Errorf("left behind: %v", names)
			}
		})
	}
}

func TestSelectionsAndModels(t *testing.T) {
	fs := vfs.NewMem()
	buildEverything(t, fs, "db")
	big := make([]byte, 3*partBytes+5)
	for i := range big {
		big[i] = byte(i / 7)
	}
	w, err := Begin("db", WriteOptions{Options: Options{FS: fs}, Mode: Append})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	sel, err := w.Select(SelectionInfo{Name: "new", Columns: []string{"a", "b"}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		if err := sel.Put(&Entry{Code: testCode(i), Score: 1.5, Weight: -2, Stats: []float64{float64(i), 0}}); err != nil {
			t.Fatal(err)
		}
	}
	sel.Info().VocabularyHash = 7
	if err := errors.Join(sel.Close(), w.PutModel(ModelInfo{Name: "big"}, big), w.PutModel(ModelInfo{Name: "model"}, nil), w.Commit()); err != nil {
		t.Fatal(err)
	}
	if left := wantSound(t, fs, "db"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	s, err := Open("db", Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if info := s.Meta().Selection("new"); info.Features != 40 || info.VocabularyHash != 7 {
		t.Errorf("%+v", info)
	}
	next := uint32(10)
	err = s.Entries("new", 10, 20, func(id uint32, e *Entry) error {
		want := &Entry{Code: testCode(int(id) - 1), Score: 1.5, Weight: -2, Stats: []float64{float64(id - 1), 0}}
		if d := cmp.Diff(want, e); d != "" || id != next {
			t.Errorf("entry %d, want %d:\n%s", id, next, d)
		}
		next++
		return nil
	})
	if err != nil || next != 20 {
		t.Error(next, err)
	}
	for i := range 40 {
		id, e, err := s.EntryOf("new", testCode(i))
		if err != nil || int(id) != i+1 || e.Stats[0] != float64(i) {
			t.Errorf("EntryOf %d: %d, %v", i, id, err)
		}
	}
	if _, _, err := s.EntryOf("sel", testCode(1)); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if b, err := s.Model("big"); err != nil || string(b) != string(big) {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	if b, err := s.Model("model"); err != nil || len(b) != 0 {
		t.Errorf("%q, %v", b, err)
	}
	if _, err := s.Model("absent"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}
