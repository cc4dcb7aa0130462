package selection_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	gocmp "github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/mine/exchange"
	"fstore/mine/internal/minetest"
	"fstore/mine/judge"
	"fstore/mine/selection"
	"fstore/store"
)

// A selection has the same bytes whatever the workers and the memory, and whether fragments are scanned or
// grown. Verify finds no problem in it.
func TestSelectionSameHowever(t *testing.T) {
	for _, c := range []struct {
		space, stored string // a space, and what less of it is stored
		o             selection.Options
	}{
		{"stk", "stk:max-order=1,min-support=20", selection.Options{By: "chi2", Tau: minetest.At(1.5)}},
		{"stk", "stk:max-order=2", selection.Options{By: "chi2", Alpha: minetest.At(.4), Correct: selection.FDRCorrection}},
		{"stk", "stk:max-order=1", selection.Options{By: "chi2", Top: 40, Positive: minetest.At("x")}},
		{"stk:closed", "stk", selection.Options{By: "chi2", Tau: minetest.At(1.0), Closed: minetest.At(true)}},
		{"sstbow:closed", "sstbow", selection.Options{By: "support", Closed: minetest.At(true)}},
		{"seq", "seq:max-order=1", selection.Options{By: "chi2", Tau: minetest.At(2.0)}},
		{"ptk", "ptk:min-support=9", selection.Options{By: "chi2", Alpha: minetest.At(.3), Correct: selection.BonferroniCorrection}},
	} {
		c.o.Name, c.o.MinSupport, c.o.MaxOrder = "sel", minetest.At(uint32(2)), minetest.At(4)
		var want string
		check := func(what string, stored string, grown bool, workers int, memory int64) {
			t.Helper()
			fs := vfs.NewMem()
			newLabelled(t, fs, minetest.Samples, stored)
			o := c.o
			o.Workers, o.Memory = workers, memory
			o.SetForceGrowth(grown)
			minetest.Change(t, fs, func(w *store.Writer) error {
				done, err := selection.Run(context.Background(), w, o)
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
				if p := minetest.Verify(t, s, 0); len(p) > 0 {
					t.Fatalf("%+v, %s: %v", c, what, p)
				}
				dry, err := selection.DryRun(context.Background(), s, o)
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

// Verify finds wrong data in a selection.
func TestVerifyFindsWrongSelections(t *testing.T) {
	fs := vfs.NewMem()
	newLabelled(t, fs, minetest.Samples, "stk")
	minetest.Change(t, fs, func(w *store.Writer) error {
		_, err := selection.Run(context.Background(), w, selection.Options{Name: "right", By: "chi2", Tau: minetest.At(2.0)})
		return err
	})
	spoil(t, fs, "support", func(e *store.Entry) { e.Stats[0]++ })
	spoil(t, fs, "occurrences", func(e *store.Entry) { e.Stats[1]++ })
	spoil(t, fs, "observed", func(e *store.Entry) { e.Stats[3]++ })
	spoil(t, fs, "score", func(e *store.Entry) { e.Score += .5 })
	reading(t, fs, func(s *store.Store) {
		problems := minetest.Verify(t, s, 0)
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

// An exported selection is the same after the import, into the same store and into another store.
func TestExportImport(t *testing.T) {
	fs := vfs.NewMem()
	newLabelled(t, fs, minetest.Samples, "stk")
	minetest.Change(t, fs, func(w *store.Writer) error {
		_, err := selection.Run(context.Background(), w, selection.Options{Name: "a", By: "chi2", Tau: minetest.At(2.0)})
		return err
	})
	var file bytes.Buffer
	reading(t, fs, func(s *store.Store) {
		if err := exchange.Export(context.Background(), s, "a", &file); err != nil {
			t.Fatal(err)
		}
	})
	in := func(fs vfs.FS, text string, o exchange.ImportOptions) (done *exchange.Imported, err error) {
		w, err := store.Begin("s", store.WriteOptions{Options: store.Options{FS: fs}, Mode: store.Append})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Abort()
		o.Name = "b"
		if done, err = exchange.Import(context.Background(), w, strings.NewReader(text), "f", o); err != nil {
			return nil, err
		}
		return done, w.Commit()
	}
	if _, err := in(fs, file.String(), exchange.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	reading(t, fs, func(s *store.Store) {
		again := strings.Replace(dumpSelection(t, s, "b"), "setting\timported\t\"f\"\n", "", 1)
		if d := gocmp.Diff(dumpSelection(t, s, "a"), again); d != "" {
			t.Error(d)
		}
		if p := minetest.Verify(t, s, 0); len(p) > 0 {
			t.Error(p)
		}
	})
	other := vfs.NewMem()
	newLabelled(t, other, 30, "stk")
	var bad *index.InputError
	if _, err := in(other, file.String(), exchange.ImportOptions{}); !errors.As(err, &bad) || bad.Line == 0 {
		t.Errorf("%v: some symbol should be absent", err)
	}
	done, err := in(other, file.String(), exchange.ImportOptions{SkipAbsent: true})
	if err != nil || done.Absent == 0 || done.Fragments == 0 {
		t.Fatalf("%+v, %v", done, err)
	}
	reading(t, other, func(s *store.Store) {
		if p := minetest.Verify(t, s, 0); len(p) > 0 {
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
		o := selection.Options{Name: "a", By: "chi2", Tau: minetest.At(0.0), MaxOrder: minetest.At(4)}
		o.SetForceGrowth(grow)
		_, err = selection.Run(ctx, w, o)
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

// A run that is interrupted twice and resumed gives the same bytes, with any number of workers. Without
// Resume, nothing of the interrupted runs is kept.
func TestSelectResumes(t *testing.T) {
	for _, resume := range []bool{true, false} {
		fs := vfs.NewMem()
		newLabelled(t, fs, 600, "stk:max-order=1")
		// run makes a selection, which is cancelled after `after` parts (0: never). `kept` is the number of
		// parts from earlier runs.
		run := func(name string, after, workers int, resume bool) (done *selection.Result, kept int) {
			t.Helper()
			w, err := store.Begin("s", store.WriteOptions{Options: store.Options{FS: fs}, Mode: store.Append, Resume: resume})
			if err != nil {
				t.Fatal(err)
			}
			p, err := judge.NewParts(w, &judge.Pass{At: &judge.Threshold{}}, store.SelectionInfo{})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			done, err = selection.Run(ctx, w, selection.Options{
				Name: name, By: "chi2", Tau: minetest.At(1.0), MaxOrder: minetest.At(5), Workers: workers,
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
			return done, p.Kept()
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
