package linear

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"
)

// TestSolvers runs each solver on small random problems. It compares the reported objective with that of a
// slow solver, and with the objective of the weights that the solver returned.
func TestSolvers(t *testing.T) {
	for _, s := range []struct {
		name string
		loss loss
		norm func(float64) float64
		prox func(w, step float64) float64
	}{
		{"l1-svm", squaredHinge, math.Abs, softThreshold},
		{"l1-logistic", logistic, math.Abs, softThreshold},
		{"l2-logistic", logistic, half, shrink},
		{"l2-svm", squaredHinge, half, shrink},
	} {
		l, err := Lookup(s.name)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(12) {
			t.Run(fmt.Sprintf("%s/%d", s.name, seed), func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, 1))
				o := &Options{C: []float64{0.05, 1, 10}[seed%3], Tolerance: 2e-7, Seed: seed}
				o.setDefaults()
				samples := randomSamples(r, 4+r.IntN(20), 1+r.IntN(12), 2, float64(seed%2)*1.5)
				p := binaryProblem(r, samples, o)
				w, fit, err := l.fit(context.Background(), p, nil)
				if err != nil {
					t.Fatal(err)
				}
				if !fit.Converged || fit.Gap() > 2e-7 || fit.Gap() < -1e-12 {
					t.Errorf("ends at %+v, gap %g", fit, fit.Gap())
				}
				if f := p.objective(s.loss, s.norm, w); math.Abs(f-fit.Objective) > 1e-9*f {
					t.Errorf("the weights have objective %v, it says %v", f, fit.Objective)
				}
				if want := p.slowly(s.loss, s.norm, s.prox); math.Abs(fit.Objective-want) > 1e-6*want {
					t.Errorf("objective %v, the slow solver's %v", fit.Objective, want)
				}
			})
		}
	}
}

// TestLosses compares derivatives with difference quotients, and conjugates with the largest value over a
// grid.
func TestLosses(t *testing.T) {
	for name, ls := range map[string]loss{"squared hinge": squaredHinge, "logistic": logistic} {
		for _, m := range []float64{-800, -30, -2.3, -0.1, 0, 0.4, 3, 30, 800} {
			const h = 1e-5
			v, d1, d2 := ls.at(m)
			lo, dlo, _ := ls.at(m - h)
			hi, dhi, _ := ls.at(m + h)
			if math.Abs((hi-lo)/(2*h)-d1) > 1e-4 || math.Abs((dhi-dlo)/(2*h)-d2) > 1e-4 || v < 0 {
				t.Errorf("%s at %v: %v, %v, %v", name, m, v, d1, d2)
			}
			// At the derivative, the inequality of Fenchel & Young is an equality.
			if got, want := ls.conjugate(-d1), d1*m-v; math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
				t.Errorf("%s: conjugate %v at margin %v, want %v", name, got, m, want)
			}
		}
	}
}

// TestEnds tests solvers that are stopped, and samples without features.
func TestEnds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	for _, l := range Learners() {
		s := randomSamples(r, 40, 10, 2, 0)
		if _, _, err := Train(stopped, l, s, Options{}); err == nil {
			t.Errorf("%s: no error where the context is done", l.Name)
		}
		if !l.Prices {
			continue
		}
		_, report, err := Train(context.Background(), l, s, Options{C: 1000, Tolerance: 1e-15, MaxIterations: 1})
		if err != nil || report.Machines[0].Converged || !(report.Machines[0].Gap() > 1e-15) {
			t.Errorf("%s: one iteration: %+v, %v", l.Name, report, err)
		}
		empty := &Samples{X: NewMatrix(3, 0), Labels: [][]string{{"a"}, {"b"}}}
		empty.X.Append(nil, nil)
		empty.X.Append(nil, nil)
		m, report, err := Train(context.Background(), l, empty, Options{})
		if err != nil || len(m.ID) != 0 || !report.Machines[0].Converged {
			t.Errorf("%s: samples without features: %+v, %+v, %v", l.Name, m, report, err)
		}
	}
}

// TestPerceptron compares the mean weights with a mean that is summed at each step.
func TestPerceptron(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 2))
		o := &Options{Seed: seed, Epochs: 3}
		o.setDefaults()
		p := binaryProblem(r, randomSamples(r, 15, 6, 2, 1), o)
		got, fit, err := averagedPerceptron(context.Background(), p, nil)
		if err != nil || fit.Iterations != 3 {
			t.Fatal(fit, err)
		}
		w, sum := make([]float64, p.x.Columns), make([]float64, p.x.Columns)
		order := rand.New(rand.NewPCG(seed, 0))
		rows := make([]int, len(p.y))
		for i := range rows {
			rows[i] = i
		}
		for range 3 {
			order.Shuffle(len(rows), func(a, b int) { rows[a], rows[b] = rows[b], rows[a] })
			for _, i := range rows {
				if p.y[i]*p.x.Dot(i, w) <= 0 {
					p.x.add(i, p.y[i], w)
				}
				for j := range w {
					sum[j] += w[j]
				}
			}
		}
		for j := range w {
			if want := sum[j] / float64(3*len(rows)); math.Abs(got[j]-want) > 1e-12 {
				t.Fatalf("seed %d, feature %d: %v, want %v", seed, j, got[j], want)
			}
		}
	}
}

// TestOneVersusRest trains on many classes. Each machine must be the same as a machine trained on the binary
// problem, for any number of workers.
func TestOneVersusRest(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	s := randomSamples(r, 80, 12, 4, 1)
	for _, l := range Learners() {
		o := Options{C: 0.5, Seed: 3, ClassWeight: map[string]float64{"b": 2}, Workers: 1}
		m, report, err := Train(context.Background(), l, s, o)
		if err != nil {
			t.Fatal(l.Name, err)
		}
		if err := m.Check(); err != nil {
			t.Error(l.Name, err)
		}
		o.Workers = 3
		again, _, err := Train(context.Background(), l, s, o)
		if err != nil || !slices.Equal(m.Weight, again.Weight) || !slices.Equal(m.ID, again.ID) {
			t.Errorf("%s: another model with three workers, %v", l.Name, err)
		}
		scorer := NewScorer(m)
		for k, label := range m.Labels {
			o.Positive = label
			one, single, err := Train(context.Background(), l, s, o)
			if err != nil || single.Machines[0].NonZero != report.Machines[k].NonZero || !slices.Equal(one.Labels, []string{label, ""}) {
				t.Fatalf("%s: %q alone: %+v, %v", l.Name, label, single, err)
			}
			alone := NewScorer(one)
			for i := range s.X.Rows() {
				ids, values := s.X.Row(i)
				all, got := make([]float64, 4), make([]float64, 1)
				scorer.Score(all, ids[1:], values[1:]) // without the bias
				alone.Score(got, ids[1:], values[1:])
				if all[k] != got[0] {
					t.Fatalf("%s: score of %q: %v, alone %v", l.Name, label, all[k], got[0])
				}
			}
		}
	}
}

// TestManyLabels: with many labels, making the problems takes most of the time. It must stop too when the
// context ends.
func TestManyLabels(t *testing.T) {
	const n = 20_000
	s := &Samples{X: NewMatrix(1, 0), Labels: make([][]string, n)}
	for i := range n {
		s.X.Append(nil, nil)
		s.Labels[i] = []string{strconv.Itoa(i)}
	}
	l, err := Lookup("l2-logistic")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, _, err := Train(ctx, l, s, Options{}); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 20*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}
