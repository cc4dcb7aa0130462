package optimum_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"fstore/index"
	"fstore/mine/internal/minetest"
	"fstore/mine/learn/classes"
	"fstore/mine/learn/crossval"
	"fstore/mine/learn/linear"
	"fstore/mine/learn/optimum"
	"fstore/store"
)

// The objective of a path is the least objective over an explicit list of all fragments. The gap is correct:
// the least objective is not below the bound.
func TestOptimumOverAll(t *testing.T) {
	for seed := range uint64(4) {
		for _, kind := range []index.Kind{index.Constituency, index.Dependency} {
			for _, arg := range minetest.SpacesOf(t, kind, "min-support=1,max-order=0") {
				stored := minetest.LabelledStore(t, kind, seed, arg)
				defer stored.Close()
				fragments := minetest.AllFragments(t, stored, &stored.Meta().Spaces[0])
				for _, learner := range []string{"l1-svm", "l1-logistic"} {
					for _, limits := range []optimum.Options{{}, {MinSupport: 2}, {MaxOrder: 2}} {
						o := limits
						o.Learner, o.C, o.Values, o.Gap = learner, []float64{0.5, 20}[seed%2], 4, 1e-7
						checkOptimum(t, stored, fragments, o)
					}
				}
			}
		}
	}
}

// checkOptimum compares the end of a path with the optimum over all fragments.
func checkOptimum(t *testing.T, s *store.Store, fragments []minetest.Whole, o optimum.Options) {
	t.Helper()
	path := run(t, s, o)
	if path == nil {
		return
	}
	name := fmt.Sprintf("%s, %+v", s.Meta().Spaces[0].ID, o)
	labels := labelsOf(t, s)
	learner, err := linear.Lookup(o.Learner)
	if err != nil {
		t.Fatal(err)
	}
	for k, points := range path.Points {
		end := points[len(points)-1]
		y := classes.Signs(labels, path.Labels[k])
		c := make([]float64, len(y))
		for i := range c {
			if len(labels[i]) > 0 {
				c[i] = o.C
			}
		}
		p, err := linear.NewColumns(learner, y, c)
		if err != nil {
			t.Fatal(err)
		}
		for i := range fragments {
			if f := &fragments[i]; supportOf(f, labels) >= int(o.MinSupport) && (o.MaxOrder == 0 || f.Order <= o.MaxOrder) {
				p.Append(f.Samples, 0)
			}
		}
		fit, _, err := p.Solve(context.Background(), linear.Options{Tolerance: 1e-9, MaxIterations: 100_000})
		if err != nil {
			t.Fatal(err)
		}
		if f := objectiveOf(path, o.Learner, k, fragments, y, c); math.Abs(f-end.Objective) > 1e-9*(1+f) {
			t.Errorf("%s, machine %d: the weights have objective %v, it says %v", name, k, f, end.Objective)
		}
		if !end.Converged || end.Gap() > o.Gap {
			t.Errorf("%s, machine %d: not converged: %+v", name, k, end)
		}
		if fit.Objective < end.Bound-1e-9*(1+end.Bound) || fit.Bound > end.Objective+1e-9*(1+end.Objective) {
			t.Errorf("%s, machine %d: objective %v, bound %v; listed %v, bound %v", name, k, end.Objective, end.Bound, fit.Objective, fit.Bound)
		}
		if math.Abs(end.Objective-fit.Objective) > 1e-6*fit.Objective+1e-12 {
			t.Errorf("%s, machine %d: objective %v, listed %v", name, k, end.Objective, fit.Objective)
		}
	}
}

// objectiveOf returns the objective of the weights of machine k, computed in the obvious way.
func objectiveOf(path *optimum.Path, learner string, k int, fragments []minetest.Whole, y, c []float64) (f float64) {
	scores := make([]float64, len(y))
	for i := range scores {
		scores[i] = path.Weights[k][0]
	}
	for i := range path.Entries {
		w := path.Weights[k][1+i]
		f += math.Abs(w)
		at := slices.IndexFunc(fragments, func(x minetest.Whole) bool { return slices.Equal(x.Code, path.Entries[i].Code) })
		for _, s := range fragments[at].Samples {
			scores[s] += w
		}
	}
	for i, s := range scores {
		if learner == "l1-svm" {
			f += c[i] * math.Pow(max(0, 1-y[i]*s), 2)
		} else {
			f += c[i] * math.Log1p(math.Exp(-y[i]*s))
		}
	}
	return f
}

// supportOf returns the number of labelled samples with a fragment.
func supportOf(f *minetest.Whole, labels [][]string) (n int) {
	for _, s := range f.Samples {
		if len(labels[s]) > 0 {
			n++
		}
	}
	return n
}

// run calls optimum.Run. It returns nil if the store does not have two labels.
func run(t *testing.T, s *store.Store, o optimum.Options) *optimum.Path {
	t.Helper()
	w, err := store.Begin(s.Dir(), store.WriteOptions{Options: store.Options{FS: s.FS()}, Mode: store.Append})
	if err != nil {
		t.Fatal(err)
	}
	path, err := optimum.Run(context.Background(), w, o)
	if err := w.Abort(); err != nil {
		t.Fatal(err)
	}
	if wrong := (*index.UsageError)(nil); errors.As(err, &wrong) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func labelsOf(t *testing.T, s *store.Store) (labels [][]string) {
	t.Helper()
	err := s.SampleHeads(0, s.Meta().Samples, func(_ uint32, tree *index.Tree) error {
		var own []string
		index.SplitLabels(tree.Label, func(l string) { own = append(own, l) })
		labels = append(labels, own)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return labels
}

// The result does not depend on workers or memory.
func TestSameHowever(t *testing.T) {
	for _, kind := range []index.Kind{index.Constituency, index.Dependency} {
		for _, arg := range minetest.SpacesOf(t, kind, "min-support=1,max-order=1") {
			s := minetest.LabelledStore(t, kind, 3, arg)
			defer s.Close()
			o := optimum.Options{Learner: "l1-svm", C: 10, Values: 5, Workers: 1}
			first := run(t, s, o)
			for _, o.Workers = range []int{1, 3} {
				for _, o.Memory = range []int64{1, 1 << 12} {
					if again := run(t, s, o); !reflect.DeepEqual(first.Points, again.Points) || !reflect.DeepEqual(first.Entries, again.Entries) || !reflect.DeepEqual(first.Weights, again.Weights) {
						t.Errorf("%s: %d workers, memory %d: %+v, want %+v", arg, o.Workers, o.Memory, again.Points, first.Points)
					}
				}
			}
		}
	}
}

// An interrupted run that is resumed has the same path.
func TestResume(t *testing.T) {
	for seed := range uint64(3) {
		s := minetest.LabelledStore(t, index.Constituency, seed, "stk:min-support=1,max-order=1")
		defer s.Close()
		o := optimum.Options{Learner: "l1-logistic", C: 10, Values: 5}
		whole := run(t, s, o)
		if whole == nil {
			continue
		}
		o.Folds = make(crossval.Folds, whole.Samples)
		for i := range o.Folds {
			o.Folds[i] = i % 2
		}
		whole = run(t, s, o)
		for after := 1; after < 2*len(whole.Prices); after += 3 {
			o.Progress = nil
			if got := resumed(t, s, o, after); !reflect.DeepEqual(got.Points, whole.Points) || !reflect.DeepEqual(got.Entries, whole.Entries) ||
				!reflect.DeepEqual(got.Weights, whole.Weights) || !reflect.DeepEqual(got.Trials, whole.Trials) {
				t.Errorf("seed %d, after %d problems: another path: %+v, want %+v", seed, after, got, whole)
			}
		}
	}
}

// resumed interrupts a run after the given number of problems, and resumes it.
func resumed(t *testing.T, s *store.Store, o optimum.Options, after int) *optimum.Path {
	t.Helper()
	begin := store.WriteOptions{Options: store.Options{FS: s.FS()}, Mode: store.Append, Resume: true}
	w, err := store.Begin(s.Dir(), begin)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	o.Progress = &interrupting{cancel: cancel, after: after}
	if _, err := optimum.Run(ctx, w, o); !errors.Is(err, context.Canceled) {
		t.Fatalf("interrupted: %v", err)
	}
	if err := w.Abort(); err != nil {
		t.Fatal(err)
	}
	if w, err = store.Begin(s.Dir(), begin); err != nil {
		t.Fatal(err)
	}
	counting := &interrupting{}
	o.Progress = counting
	path, err := optimum.Run(context.Background(), w, o)
	if err := errors.Join(err, w.Abort()); err != nil {
		t.Fatal(err)
	}
	if counting.most < int64(min(after, o.Values)) {
		t.Errorf("after %d problems: begun again, at %d", after, counting.most)
	}
	w, err = store.Begin(s.Dir(), store.WriteOptions{Options: store.Options{FS: s.FS()}, Mode: store.Append})
	if err := errors.Join(err, w.Abort()); err != nil {
		t.Fatal(err)
	}
	return path
}

// interrupting is a Progress that ends the run after a number of problems. The field most is the largest
// number that was added at once, which is the number of problems that the interrupted run had solved.
type interrupting struct {
	index.NoProgress
	cancel context.CancelFunc
	after  int
	seen   int
	unit   string
	most   int64
}

func (p *interrupting) Step(_, unit string, _ int64) { p.unit = unit }

func (p *interrupting) Add(n int64) {
	if p.unit != "problems" {
		return
	}
	p.most = max(p.most, n)
	if p.seen++; p.cancel != nil && p.seen > p.after {
		p.cancel()
	}
}
