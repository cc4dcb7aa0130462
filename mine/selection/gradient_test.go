package selection_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/mine/gradient"
	"fstore/mine/internal/minetest"
	"fstore/mine/selection"
	"fstore/store"
)

// alternating gives the trees of a source the label x, the label y, or no label.
type alternating struct {
	index.Source
	n int
}

func (a *alternating) Next(t *index.Tree) error {
	err := a.Source.Next(t)
	t.Label = []string{"x", "y", "x", "", "y"}[a.n%5]
	a.n++
	return err
}

// alternatingStore holds random trees of two labels.
func alternatingStore(t *testing.T) *store.Store {
	o := minetest.Options(t, vfs.NewMem(), 0, 0, "stk")
	o.Source = func(s *index.Symbols) (index.Source, error) {
		return &alternating{Source: minetest.NewSource(s, 1, 0, 100)}, nil
	}
	return minetest.Build(t, o.FS, o)
}

// alternatingFS is the file system of an alternatingStore that is closed.
func alternatingFS(t *testing.T) vfs.FS {
	t.Helper()
	s := alternatingStore(t)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return s.FS()
}

// A dry run has its scratch files in a directory of its own, and leaves none.
func TestGradientScratch(t *testing.T) {
	s := alternatingStore(t)
	const dir = "dry"
	files := 0
	o := selection.Options{By: "gradient", Memory: 1, Scratch: dir, MaxOrder: minetest.At(2)}
	o.Gradient.MinCount = minetest.At(uint32(0))
	o.Gradient.Log = func(*gradient.Iteration) error {
		in, err := s.FS().List(dir)
		files += len(in)
		return err
	}
	if _, err := selection.DryRun(context.Background(), s, o); err != nil {
		t.Fatal(err)
	}
	if files == 0 {
		t.Error("nothing was in the directory")
	}
	if _, err := s.FS().Stat(dir); err == nil {
		t.Error("the directory is left")
	}
}

// listed makes a list of every three trees of a source: two candidates, and a gold tree that is added.
type listed struct {
	index.Source
	n int
}

func (l *listed) Next(t *index.Tree) error {
	err := l.Source.Next(t)
	t.Group = strconv.Itoa(l.n/3 + 1)
	t.Name = t.Group
	switch l.n % 3 {
	case 0, 1:
		t.Candidate, t.Score = l.n%3+1, float64(7-2*(l.n%3))
	case 2:
		t.Gold = index.GoldAdded
	}
	l.n++
	return err
}

// A gold tree that was added gets the lowest score of its list. So before mining, a list costs Base times the
// difference to the best score, and at most 1 more.
func TestBaseOfAddedGold(t *testing.T) {
	const lists = 30
	o := minetest.Options(t, vfs.NewMem(), 0, 0, "stk")
	o.Source = func(s *index.Symbols) (index.Source, error) {
		return &listed{Source: minetest.NewSource(s, 1, 0, 3*lists)}, nil
	}
	s := minetest.Build(t, o.FS, o)
	q := selection.Options{By: "gradient", MaxOrder: minetest.At(1)}
	q.Gradient.Base = 2
	found, err := selection.DryRun(context.Background(), s, q)
	if err != nil {
		t.Fatal(err)
	}
	if cost := found.Iterations[0].Before / lists; cost <= 2*(7-5) || cost > 2*(7-5)+1 {
		t.Errorf("a list costs %v", cost)
	}
}

// A selection by gradient asks for scores once, after all other options are checked. It needs a score for
// each sample.
func TestGradientScores(t *testing.T) {
	o := minetest.Options(t, vfs.NewMem(), 0, 0, "stk")
	o.Source = func(s *index.Symbols) (index.Source, error) {
		return &listed{Source: minetest.NewSource(s, 1, 0, 30)}, nil
	}
	s := minetest.Build(t, o.FS, o)
	for _, x := range []struct {
		scores int
		step   float64
		right  bool
		asked  int
	}{{30, 0, true, 1}, {29, 0, false, 1}, {31, 0, false, 1}, {30, math.Inf(1), false, 0}} {
		asked := 0
		q := selection.Options{By: "gradient", MaxOrder: minetest.At(1)}
		q.Gradient.Step = x.step
		q.Gradient.Scores = func(context.Context, *roaring.Bitmap) ([]float64, string, error) {
			asked++
			return make([]float64, x.scores), "nothing", nil
		}
		var choice *index.UsageError
		if _, err := selection.DryRun(context.Background(), s, q); errors.As(err, &choice) == x.right || asked != x.asked {
			t.Errorf("%+v: %v, asked %d times", x, err, asked)
		}
	}
}

// An option that selection by gradient cannot use is an *index.UsageError.
func TestGradientOptions(t *testing.T) {
	s := alternatingStore(t)
	for name, change := range map[string]func(*selection.Options){
		"model":      func(o *selection.Options) { o.Model = "m" },
		"ratio":      func(o *selection.Options) { o.ThresholdRatio = minetest.At(2.0) },
		"sigma":      func(o *selection.Options) { o.Sigma = minetest.At(1.0) },
		"share":      func(o *selection.Options) { o.NormShare = minetest.At(.5) },
		"greedy":     func(o *selection.Options) { o.Greedy = true },
		"iterations": func(o *selection.Options) { o.Gradient.Iterations = -1 },
		"step":       func(o *selection.Options) { o.Gradient.Step = math.Inf(1) },
		"no step":    func(o *selection.Options) { o.Gradient.Step = math.NaN() },
		"base":       func(o *selection.Options) { o.Gradient.Base = math.Inf(-1) },
		"no base":    func(o *selection.Options) { o.Gradient.Base = math.NaN() },
		"counters": func(o *selection.Options) {
			o.Gradient.Route, o.Gradient.BloomCounters = gradient.Bloom, math.MaxUint64
		},
		"counter bits": func(o *selection.Options) { o.Gradient.Route, o.Gradient.BloomBits = gradient.Bloom, 33 },
	} {
		o := selection.Options{By: "gradient"}
		change(&o)
		var choice *index.UsageError
		if _, err := selection.DryRun(context.Background(), s, o); !errors.As(err, &choice) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A selection by gradient counts support and occurrences in all samples of the store, also in those that it
// does not learn from. Verify finds wrong counts.
func TestGradientCounts(t *testing.T) {
	fs := alternatingFS(t)
	minetest.Change(t, fs, func(w *store.Writer) error {
		o := selection.Options{Name: "all", By: selection.BySupport, MinSupport: minetest.At(uint32(1)), MaxOrder: minetest.At(2)}
		if _, err := selection.Run(context.Background(), w, o); err != nil {
			return err
		}
		o = selection.Options{Name: "right", By: "gradient", MaxOrder: minetest.At(2)}
		o.Gradient.MinCount = minetest.At(uint32(0))
		_, err := selection.Run(context.Background(), w, o)
		return err
	})
	reading(t, fs, func(s *store.Store) {
		all := map[string][]float64{}
		each := func(name string, f func(e *store.Entry)) {
			err := s.Entries(name, 1, s.Meta().Selection(name).Features+1, func(_ uint32, e *store.Entry) error {
				f(e)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		each("all", func(e *store.Entry) { all[string(e.Code)] = slices.Clone(e.Stats) })
		more := 0
		each("right", func(e *store.Entry) {
			if want := all[string(e.Code)]; !slices.Equal(e.Stats[:2], want) {
				t.Errorf("%v: %v, want %v", e.Code, e.Stats, want)
			}
			if e.Stats[1] > e.Stats[0] {
				more++
			}
		})
		if more == 0 {
			t.Error("nothing occurs twice in a sample")
		}
	})
	spoil(t, fs, "occurrences", func(e *store.Entry) { e.Stats[1]++ })
	reading(t, fs, func(s *store.Store) {
		if problems := minetest.Verify(t, s, 0); len(problems) != 1 || !strings.Contains(problems[0], "selection occurrences, fragment ") {
			t.Error(problems)
		}
	})
}

// A selection of all features has the features of a selection of those with a weight, with the same weights.
// All its other features have no weight.
func TestGradientKeep(t *testing.T) {
	fs := alternatingFS(t)
	minetest.Change(t, fs, func(w *store.Writer) error {
		for _, keep := range []gradient.Keep{gradient.KeepWeights, gradient.KeepFeatures} {
			o := selection.Options{Name: keep.String(), By: "gradient", MaxOrder: minetest.At(2)}
			o.Gradient.Keep, o.Gradient.Iterations = keep, 3
			if _, err := selection.Run(context.Background(), w, o); err != nil {
				return err
			}
		}
		return nil
	})
	reading(t, fs, func(s *store.Store) {
		each := func(name string, f func(e *store.Entry)) {
			err := s.Entries(name, 1, s.Meta().Selection(name).Features+1, func(_ uint32, e *store.Entry) error {
				f(e)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		weights := map[string]float64{}
		each("weights", func(e *store.Entry) { weights[string(e.Code)] = e.Weight })
		without := 0
		each("features", func(e *store.Entry) {
			if e.Weight != weights[string(e.Code)] {
				t.Errorf("%v: weight %v, want %v", e.Code, e.Weight, weights[string(e.Code)])
			}
			delete(weights, string(e.Code))
			if e.Weight == 0 {
				without++
			}
			if len(e.Stats) != 2+1+2 || max(e.Stats[0], e.Stats[1]) == 0 || e.Score != e.Stats[0]-e.Stats[1] {
				t.Errorf("%v: %v", e.Code, e.Stats)
			}
		})
		if len(weights) > 0 || without == 0 {
			t.Errorf("%d weights are missing, %d features are without", len(weights), without)
		}
		if problems := minetest.Verify(t, s, 0); len(problems) > 0 {
			t.Error(problems)
		}
	})
}

// A selection whose run was interrupted is the same to the byte when it is resumed.
func TestGradientResumes(t *testing.T) {
	o := selection.Options{Name: "g", By: "gradient", MaxOrder: minetest.At(3), Workers: 1}
	o.Gradient.MinCount, o.Gradient.Iterations = minetest.At(uint32(0)), 3
	var want string
	for after := range 4 { // 0: not interrupted
		fs := alternatingFS(t)
		if after > 0 {
			ctx, cancel := context.WithCancel(context.Background())
			o := o
			o.Progress = &minetest.InterruptAfter{Stage: "iteration 1, mine", After: 0, Cancel: cancel}
			if after > 1 {
				o.Progress = nil
				logged := 0
				o.Gradient.Log = func(*gradient.Iteration) error {
					if logged++; logged == after-1 {
						cancel()
					}
					return nil
				}
			}
			w, err := store.Begin("s", store.WriteOptions{Options: store.Options{FS: fs}, Mode: store.Append, Resume: true})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := selection.Run(ctx, w, o); !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if err := w.Abort(); err != nil {
				t.Fatal(err)
			}
		}
		w, err := store.Begin("s", store.WriteOptions{Options: store.Options{FS: fs}, Mode: store.Append, Resume: true})
		if err == nil {
			_, err = selection.Run(context.Background(), w, o)
		}
		if err == nil {
			err = w.Commit()
		}
		if err != nil {
			t.Fatal(err)
		}
		reading(t, fs, func(s *store.Store) {
			got := minetest.Same(t, s)
			if after == 0 {
				want = got
			} else if got != want {
				t.Errorf("interrupted %d: another store", after)
			}
		})
	}
}
