package linear

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

// TestMerge wants the optimum over columns that occur several times. With the regulariser ½‖w‖², equal
// columns must have equal weights.
func TestMerge(t *testing.T) {
	for _, name := range []string{"l1-svm", "l1-logistic", "l2-logistic", "l2-svm"} {
		l, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(6) {
			r := rand.New(rand.NewPCG(seed, 9))
			once := randomSamples(r, 20, 4, 2, 1)
			thrice := &Samples{X: NewMatrix(13, 1), Labels: once.Labels} // each column three times
			for i := range once.X.Rows() {
				ids, values := once.X.Row(i)
				var all []uint32
				var v []float64
				for k, id := range ids[1:] {
					for n := range uint32(3) {
						all, v = append(all, 3*id-2+n), append(v, values[k+1])
					}
				}
				thrice.X.Append(all, v)
			}
			m, report, err := Train(context.Background(), l, thrice, Options{Tolerance: 1e-9, MaxIterations: 10_000})
			if err != nil {
				t.Fatal(err)
			}
			w := make([]float64, 14)
			for i, id := range m.ID {
				w[id] = m.Weight[i]
			}
			norm := math.Abs
			if l.squares {
				norm = half
				for j := 1; j < 13; j += 3 {
					if w[j] != w[j+1] || w[j] != w[j+2] {
						t.Errorf("%s: equal columns have weights %v", name, w)
					}
				}
			}
			o := &Options{C: 1}
			o.setDefaults()
			p := &problem{x: thrice.X, cols: thrice.X.transpose(), o: o}
			for i := range thrice.Labels {
				y := -1.0
				if thrice.Labels[i][0] == m.Labels[0] {
					y = 1
				}
				p.y, p.c = append(p.y, y), append(p.c, 1)
			}
			ls := squaredHinge
			if name == "l1-logistic" || name == "l2-logistic" {
				ls = logistic
			}
			if f := p.objective(ls, norm, w); math.Abs(f-report.Machines[0].Objective) > 1e-9*f {
				t.Errorf("%s, seed %d: the weights have objective %v, it says %v", name, seed, f, report.Machines[0].Objective)
			}
			prox := softThreshold
			if l.squares {
				prox = shrink
			}
			if want := p.slowly(ls, norm, prox); math.Abs(report.Machines[0].Objective-want) > 1e-6*want {
				t.Errorf("%s, seed %d: objective %v, the slow solver's %v", name, seed, report.Machines[0].Objective, want)
			}
		}
	}
}

// TestHinge checks the weights from the dual: no point of a grid around them has a smaller objective, and the
// gap is small.
func TestHinge(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	l, err := Lookup(L2SVM)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(8) {
		s := randomSamples(r, 12, 5, 2, 1)
		o := &Options{C: []float64{0.1, 2}[seed%2], Loss: Hinge, Tolerance: 1e-7, MaxIterations: 100_000, Seed: seed}
		o.setDefaults()
		p := binaryProblem(r, s, o)
		w, fit, err := l.fit(context.Background(), p, nil)
		if err != nil || !fit.Converged {
			t.Fatal(fit, err)
		}
		objective := func(w []float64) float64 {
			return p.objective(loss{at: func(m float64) (float64, float64, float64) { return max(0, 1-m), 0, 0 }}, half, w)
		}
		least := objective(w)
		if math.Abs(least-fit.Objective) > 1e-9*least {
			t.Errorf("the weights have objective %v, it says %v", least, fit.Objective)
		}
		for range 2000 {
			near := append([]float64(nil), w...)
			for j := range near {
				near[j] += 0.1 * r.NormFloat64() * math.Pow(10, -3*r.Float64())
			}
			if f := objective(near); f < fit.Bound || f < least*(1-1e-6) {
				t.Fatalf("objective %v near %v, bound %v", f, least, fit.Bound)
			}
		}
	}
}
