package mine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	gocmp "github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/mine/query"
	"fstore/store"
	"fstore/store/filetest"
)

// change changes the store "s".
func change(t *testing.T, fs vfs.FS, f func(*store.Writer) error) {
	t.Helper()
	w, err := store.Begin("s", store.WriteOptions{Options: store.Options{FS: fs}, Mode: store.Append})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if err := f(w); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
}

// reading opens the store "s" for f.
func reading(t *testing.T, fs vfs.FS, f func(*store.Store)) {
	t.Helper()
	s, err := store.Open("s", store.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	f(s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// dumpSelection is everything that a selection holds, with its expansion index.
func dumpSelection(t *testing.T, s *store.Store, name string) string {
	t.Helper()
	var out bytes.Buffer
	if err := Export(context.Background(), s, name, &out); err != nil {
		t.Fatal(err)
	}
	x := filetest.Read(t, s.FS(), s.Path(s.Meta().Selection(name).Expansion))
	return fmt.Sprintf("%s%x", out.String(), x)
}

// newLabelled makes the store "s" of n random trees, half of them labelled.
func newLabelled(t *testing.T, fs vfs.FS, n int, args ...string) {
	t.Helper()
	if _, err := Build(context.Background(), "s", options(t, fs, 0, n, args...)); err != nil {
		t.Fatal(err)
	}
}

// A selection has the same bytes whatever the workers, the memory and the route, and
// what is grown is what would be scanned were it stored; it verifies.
func TestSelectionSameHowever(t *testing.T) {
	for _, c := range []struct {
		space, stored string // a space, and what less of it is stored
		o             SelectOptions
	}{
		{"stk", "stk:max-order=1,min-support=20", SelectOptions{By: "chi2", Tau: at(1.5)}},
		{"stk", "stk:max-order=2", SelectOptions{By: "chi2", Alpha: at(.4), Correct: FDRCorrection}},
		{"stk", "stk:max-order=1", SelectOptions{By: "chi2", Top: 40, Positive: at("x")}},
		{"stk:closed", "stk", SelectOptions{By: "chi2", Tau: at(1.0), Closed: at(true)}},
		{"sstbow:closed", "sstbow", SelectOptions{By: "support", Closed: at(true)}},
		{"seq", "seq:max-order=1", SelectOptions{By: "chi2", Tau: at(2.0)}},
		{"ptk", "ptk:min-support=9", SelectOptions{By: "chi2", Alpha: at(.3), Correct: BonferroniCorrection}},
	} {
		c.o.Name, c.o.MinSupport, c.o.MaxOrder = "sel", at(uint32(2)), at(4)
		var want string
		check := func(what string, stored string, grown bool, workers int, memory int64) {
			t.Helper()
			fs := vfs.NewMem()
			newLabelled(t, fs, samples, stored)
			o := c.o
			o.Workers, o.Memory, o.forceGrowth = workers, memory, grown
			change(t, fs, func(w *store.Writer) error {
				done, err := Select(context.Background(), w, o)
				if err == nil && done.Grown != grown {
					t.Errorf("%s: grown %v", what, done.Grown)
				}
				return err
			})
			reading(t, fs, func(s *store.Store) {
				got := dumpSelection(t, s, "sel")
				if want == "" {
					want = got
				}
				if got != want {
					t.Fatalf("%+v, %s: %s", c, what, gocmp.Diff(want, got))
				}
				if p := verify(t, s, 0); len(p) > 0 {
					t.Fatalf("%+v, %s: %v", c, what, p)
				}
				dry, err := SelectNothing(context.Background(), s, o)
				if err != nil || dry.Fragments != uint64(s.Meta().Selection("sel").Features) {
					t.Errorf("%+v, %s: %v fragments without storing, %v", c, what, dry, err)
				}
			})
		}
		check("scanned", c.space, false, 1, 0)
		check("grown", c.space, true, 1, 0)
		check("grown by four", c.stored, true, 4, 0)
		check("grown in little memory", c.stored, true, 3, 1)
		if strings.Count(want, "\n") < 15 {
			t.Errorf("%+v: little is selected: %s", c, want)
		}
	}
}

// spoil makes the selection "right" another, in whose third entry f changes something.
func spoil(t *testing.T, fs vfs.FS, name string, f func(e *store.Entry)) {
	t.Helper()
	change(t, fs, func(w *store.Writer) error {
		from, err := query.OpenSelection(w.Store(), "right")
		if err != nil {
			return err
		}
		info := *from.Info
		info.Name = name
		return writeEntries(context.Background(), w, from.Space, info, func(put func(*store.Entry) error) error {
			return from.Each(context.Background(), func(e *query.Entry) error {
				x := store.Entry{Code: e.Code, Score: e.Score, Weight: e.Weight, Stats: e.Stats}
				if e.ID == 3 {
					f(&x)
				}
				return put(&x)
			})
		})
	})
}

// What a selection says wrong is found.
func TestVerifyFindsWrongSelections(t *testing.T) {
	fs := vfs.NewMem()
	newLabelled(t, fs, samples, "stk")
	change(t, fs, func(w *store.Writer) error {
		_, err := Select(context.Background(), w, SelectOptions{Name: "right", By: "chi2", Tau: at(2.0)})
		return err
	})
	spoil(t, fs, "support", func(e *store.Entry) { e.Stats[0]++ })
	spoil(t, fs, "occurrences", func(e *store.Entry) { e.Stats[1]++ })
	spoil(t, fs, "observed", func(e *store.Entry) { e.Stats[3]++ })
	spoil(t, fs, "score", func(e *store.Entry) { e.Score += .5 })
	reading(t, fs, func(s *store.Store) {
		problems := verify(t, s, 0)
		for _, name := range []string{"support", "occurrences", "observed", "score"} {
			want := "selection " + name + ", fragment "
			if !strings.Contains(strings.Join(problems, "\n"), want) {
				t.Errorf("%s is not found: %v", name, problems)
			}
		}
		if len(problems) != 4 {
			t.Errorf("%d problems: %v", len(problems), problems)
		}
	})
}

// What is exported is imported as it was, into the same store and into another.
func TestExportImport(t *testing.T) {
	fs := vfs.NewMem()
	newLabelled(t, fs, samples, "stk")
	change(t, fs, func(w *store.Writer) error {
		_, err := Select(context.Background(), w, SelectOptions{Name: "a", By: "chi2", Tau: at(2.0)})
		return err
	})
	var file bytes.Buffer
	reading(t, fs, func(s *store.Store) {
		if err := Export(context.Background(), s, "a", &file); err != nil {
			t.Fatal(err)
		}
	})
	in := func(fs vfs.FS, text string, o ImportOptions) (done *Imported, err error) {
		w, err := store.Begin("s", store.WriteOptions{Options: store.Options{FS: fs}, Mode: store.Append})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Abort()
		o.Name = "b"
		if done, err = Import(context.Background(), w, strings.NewReader(text), "f", o); err != nil {
			return nil, err
		}
		return done, w.Commit()
	}
	if _, err := in(fs, file.String(), ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	reading(t, fs, func(s *store.Store) {
		again := strings.Replace(dumpSelection(t, s, "b"), "setting\timported\t\"f\"\n", "", 1)
		if d := gocmp.Diff(dumpSelection(t, s, "a"), again); d != "" {
			t.Error(d)
		}
		if p := verify(t, s, 0); len(p) > 0 {
			t.Error(p)
		}
	})
	other := vfs.NewMem()
	newLabelled(t, other, 30, "stk")
	var bad *index.InputError
	if _, err := in(other, file.String(), ImportOptions{}); !errors.As(err, &bad) || bad.Line == 0 {
		t.Errorf("%v: some symbol should be absent", err)
	}
	done, err := in(other, file.String(), ImportOptions{SkipAbsent: true})
	if err != nil || done.Absent == 0 || done.Fragments == 0 {
		t.Fatalf("%+v, %v", done, err)
	}
	reading(t, other, func(s *store.Store) {
		if p := verify(t, s, 0); len(p) > 0 {
			t.Error(p)
		}
	})
}

// An interrupted run leaves the store as it was.
func TestSelectInterrupted(t *testing.T) {
	fs := vfs.NewMem()
	newLabelled(t, fs, 600, "stk")
	for _, grow := range []bool{false, true} {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		w, err := store.Begin("s", store.WriteOptions{Options: store.Options{FS: fs}, Mode: store.Append})
		if err != nil {
			t.Fatal(err)
		}
		_, err = Select(ctx, w, SelectOptions{Name: "a", By: "chi2", Tau: at(0.0), MaxOrder: at(4), forceGrowth: grow})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("grown %v: %v", grow, err)
		}
		if err := w.Abort(); err != nil {
			t.Fatal(err)
		}
	}
	reading(t, fs, func(s *store.Store) {
		if n := len(s.Meta().Selections); n > 0 {
			t.Errorf("%d selections", n)
		}
		if err := s.Check(context.Background(), func(p string) { t.Error(p) }, func(string) {}); err != nil {
			t.Error(err)
		}
	})
}

// cancelling is a progress that cancels a run after some parts of its growth.
type cancelling struct {
	index.NoProgress
	cancel func()
	after  int
	grows  bool
	parts  int
}

func (c *cancelling) Step(name, _ string, _ int64) { c.grows = strings.HasPrefix(name, "mine ") }

func (c *cancelling) Add(int64) {
	if !c.grows {
		return
	}
	if c.parts++; c.parts == c.after {
		c.cancel()
	}
}

// A run that is interrupted, and then interrupted again, goes on to the same bytes, whatever
// the workers; without Resume nothing is left to go on from.
func TestSelectResumes(t *testing.T) {
	for _, resume := range []bool{true, false} {
		fs := vfs.NewMem()
		newLabelled(t, fs, 600, "stk:max-order=1")
		// run selects until so many parts are grown, and returns those it began with.
		run := func(name string, after, workers int, resume bool) (done *Selected, kept int) {
			t.Helper()
			w, err := store.Begin("s", store.WriteOptions{Options: store.Options{FS: fs}, Mode: store.Append, Resume: resume})
			if err != nil {
				t.Fatal(err)
			}
			p, err := newParts(w, &pass{at: &threshold{}}, store.SelectionInfo{})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			done, err = Select(ctx, w, SelectOptions{
				Name: name, By: "chi2", Tau: at(1.0), MaxOrder: at(5), Workers: workers,
				Progress: &cancelling{cancel: cancel, after: after},
			})
			if after > 0 && errors.Is(err, context.Canceled) {
				err = w.Abort()
			} else if err == nil {
				err = w.Commit()
			}
			if err != nil {
				t.Fatal(err)
			}
			return done, len(p.whole)
		}
		want, _ := run("want", 0, 1, false)
		run("sel", 3, 1, resume)
		_, first := run("sel", 3, 1, resume)
		got, second := run("sel", 0, 3, resume)
		if resume && (first < 3 || second < first) || !resume && (first > 0 || second > 0) {
			t.Errorf("resume %v: %d and %d parts were kept", resume, first, second)
		}
		if d := gocmp.Diff(want.Explained, got.Explained); d != "" || want.Fragments != got.Fragments || got.Fragments < 100 {
			t.Errorf("%s, resumed %s: %s", want.Decided, got.Decided, d)
		}
		reading(t, fs, func(s *store.Store) {
			if a, b := dumpSelection(t, s, "want"), dumpSelection(t, s, "sel"); strings.ReplaceAll(a, `"want"`, `"sel"`) != b {
				t.Error(gocmp.Diff(a, b))
			}
			err := s.Check(context.Background(), func(p string) { t.Error(p) }, func(p string) { t.Error("left:", p) })
			if err != nil {
				t.Error(err)
			}
		})
	}
}
