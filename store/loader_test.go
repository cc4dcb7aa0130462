package store

import (
	"errors"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
)

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
		if l.n > 0 && int(l.base) != ends[r] {
			t.Errorf("range %d: base %d, want %d", r, l.base, ends[r])
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
