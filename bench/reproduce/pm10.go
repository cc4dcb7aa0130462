package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"fstore/bench/reproduce/ledger"
	"fstore/index"
	"fstore/mine/learn/classes"
	"fstore/mine/learn/measure"
	"fstore/mine/learn/svm"
	"fstore/mine/selection"
	"fstore/store"
)

// Pighin & Moschitti 2010, question classification. Kernel machines, one for each class against the rest
// (STK), are compared with linear models over selected fragments. The gradient of the machine (Grad) or χ²
// (Chi) selects the fragments. The linear models have the machine's weights (LIN) or new ones (OPT).
//
// Settings are chosen on development questions, a part of the training questions. So everything is trained
// twice: first without the development questions, then with them. These are the settings:
//   - the C of the machines
//   - the C of OPT, for each class and way of selecting
//   - the share to select for table 2

// lengths are the shares of ‖w‖ to select: 1-ρ in the paper.
var lengths = []float64{0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}

// tableLength is the share of ‖w‖ in table 1.
const tableLength = 0.6

// The values of C to choose from.
var (
	machinePrices = []float64{1, 10, 100}
	linearPrices  = []float64{10, 100, 1000, 10000}
)

// leastSupport is the least support of a fragment that χ² selects. The paper leaves out rarer fragments too.
const leastSupport = 3

// The two ways of selecting fragments.
const (
	byGradient = "Grad"
	byChi      = "Chi"
)

var ways = []string{byGradient, byChi}

// pm10Run is one of the two runs: the first chooses the settings, the second makes the report.
type pm10Run struct {
	*questions
	name    string
	workers int
	machine string // the name of the chosen machines in the store

	scored *ledger.Ledger[scored]
	linear *ledger.Ledger[projected]
}

// projected is a set of fragments selected for a class, with the scores of the models over them.
type projected struct {
	Fragments int
	Length    float64 // length of w over the selected fragments / ‖w‖
	Norm      float64 // ‖w‖
	LIN       []float64
	OPT       map[string][]float64 // scores by C
}

// openPM10 opens a run. It makes the store if there is none, and opens the ledgers with the results so far.
func (s *settings) openPM10(ctx context.Context, name, training, test string) (*pm10Run, error) {
	r := &pm10Run{
		questions: &questions{
			dir: filepath.Join(s.out, "pm10-"+name+".store"), training: training, test: test, representation: "grct",
		},
		name: name, workers: s.workers,
	}
	// The store can have any fragments, because the program mines the trees itself.
	if err := r.build(ctx, "stk:max-order=1", s.workers); err != nil {
		return nil, err
	}
	var err error
	if r.scored, err = ledger.Open[scored](filepath.Join(s.out, "pm10-"+name+"-machines.jsonl")); err != nil {
		return nil, err
	}
	if r.linear, err = ledger.Open[projected](filepath.Join(s.out, "pm10-"+name+"-linear.jsonl")); err != nil {
		return nil, errors.Join(err, r.scored.Close())
	}
	return r, nil
}

func (r *pm10Run) close() error { return errors.Join(r.scored.Close(), r.linear.Close()) }

// stk returns the scores of the kernel machines with this C, and trains the machines if necessary.
func (r *pm10Run) stk(ctx context.Context, c float64) (scored, error) {
	name := fmt.Sprintf("stk-%g", c)
	return r.scored.Get(r.name+" "+name, func() (scored, error) {
		if err := r.machines(ctx, name, c, r.workers); err != nil {
			return scored{}, err
		}
		return r.score(ctx, name, r.workers)
	})
}

// project returns the scores of a class's models over selected fragments. χ² selects as many fragments as the
// gradient.
func (r *pm10Run) project(ctx context.Context, class, way string, length float64, prices []float64) (projected, error) {
	name := fmt.Sprintf("%s-%s-%g", strings.ToLower(way), class, length)
	o := selection.Options{Name: name, Overwrite: true, Positive: &class, Workers: r.workers}
	if way == byGradient {
		share := length * length
		o.By, o.Model, o.NormShare = "relevance", r.machine, &share
	} else {
		same, err := r.project(ctx, class, byGradient, length, prices)
		if err != nil {
			return same, err
		}
		support, order := uint32(leastSupport), 0
		o.By, o.Space, o.Top, o.MinSupport, o.MaxOrder = "chi2", "stk", same.Fragments, &support, &order
	}
	key := fmt.Sprintf("%s %s %s C %v", r.name, name, r.machine, prices)
	return r.linear.Get(key, func() (p projected, err error) {
		n, err := r.selectFragments(ctx, o)
		if p.Fragments = int(n); err == nil {
			err = r.with(func(s *store.Store) error { return r.models(ctx, s, name, class, prices, &p) })
		}
		return p, err
	})
}

// models fills p with the scores that the models over a selection give to the test questions.
func (r *pm10Run) models(ctx context.Context, s *store.Store, name, class string, prices []float64, p *projected) error {
	m, err := readMachines(s, r.machine)
	if err != nil {
		return err
	}
	syms, err := s.Symbols()
	if err != nil {
		return err
	}
	g, err := svm.NewGradient(ctx, m, class, syms, r.workers, index.NoProgress{})
	if err != nil {
		return err
	}
	v, w, err := r.linearized(ctx, s, name, m, slices.Index(m.Labels, class), r.workers)
	if err != nil {
		return err
	}
	inside := 0.0
	for _, x := range w[1:] {
		inside += float64(x * x)
	}
	p.Norm, p.Length = math.Sqrt(g.Norm), math.Sqrt(inside/g.Norm)
	p.LIN, p.OPT = v.scores(w), map[string][]float64{}
	for _, c := range prices {
		w, err := v.retrained(ctx, class, c, r.workers)
		if err != nil {
			return err
		}
		p.OPT[fmt.Sprint(c)] = v.scores(w)
	}
	return nil
}

// f1 returns the F1 of a class. A question is predicted to be in the class if its score is positive.
func f1(gold []string, class string, scores []float64) float64 {
	var o measure.Outcomes
	labels := []string{class, ""}
	for i, g := range gold {
		o.Add(classes.Predict(labels, scores[i:i+1]), classes.Gold(labels, []string{g}))
	}
	for _, l := range o.Labels() {
		if l.Name == class {
			return l.F1()
		}
	}
	return 0
}

// accuracy returns the share of questions for which the class with the highest score is the gold class.
func accuracy(gold, names []string, byClass func(question int) []float64) float64 {
	var o measure.Outcomes
	for i, g := range gold {
		o.Add(classes.Predict(names, byClass(i)), []string{g})
	}
	return o.Accuracy()
}

// column returns the scores of class k, by question.
func (s *scored) column(k int) (all []float64) {
	for _, x := range s.Scores {
		all = append(all, x[k])
	}
	return all
}

// accuracy returns the accuracy of the kernel machines.
func (s *scored) accuracy() float64 {
	return accuracy(s.Gold, s.Classes, func(i int) []float64 { return s.Scores[i] })
}

// choice holds the settings that are best on the development questions.
type choice struct {
	machine float64                       // C of the kernel machines
	linear  map[string]map[string]float64 // C of OPT, by way and class
	length  map[string]float64            // share to select for table 2, by way
}

// choose chooses the settings on the development questions.
func (s *settings) choose(ctx context.Context) (choice, error) {
	c := choice{linear: map[string]map[string]float64{}, length: map[string]float64{}}
	training, development, err := s.split()
	if err != nil {
		return c, err
	}
	r, err := s.openPM10(ctx, "development", training, development)
	if err != nil {
		return c, err
	}
	defer r.close()
	best := -1.0
	var stk scored
	for _, price := range machinePrices {
		x, err := r.stk(ctx, price)
		if err != nil {
			return c, err
		}
		if a := x.accuracy(); a > best {
			best, stk, c.machine = a, x, price
		}
	}
	r.machine = fmt.Sprintf("stk-%g", c.machine)
	for _, way := range ways {
		c.linear[way] = map[string]float64{}
		for _, class := range stk.Classes {
			p, err := r.project(ctx, class, way, tableLength, linearPrices)
			if err != nil {
				return c, err
			}
			most := -1.0
			for _, price := range linearPrices {
				if x := f1(stk.Gold, class, p.OPT[fmt.Sprint(price)]); x > most {
					most, c.linear[way][class] = x, price
				}
			}
		}
		most := -1.0
		for _, length := range lengths {
			a, _, err := r.together(ctx, &stk, &c, way, length)
			if err != nil {
				return c, err
			}
			if a > most {
				most, c.length[way] = a, length
			}
		}
	}
	return c, nil
}

// together returns the accuracy of the retrained models of all classes, and the number of their fragments.
func (r *pm10Run) together(ctx context.Context, stk *scored, c *choice, way string, length float64) (a float64, fragments int, err error) {
	byClass := make([][]float64, len(stk.Classes))
	for k, class := range stk.Classes {
		price := c.linear[way][class]
		p, err := r.project(ctx, class, way, length, []float64{price})
		if err != nil {
			return 0, 0, err
		}
		byClass[k] = p.OPT[fmt.Sprint(price)]
		fragments += p.Fragments
	}
	row := make([]float64, len(byClass))
	return accuracy(stk.Gold, stk.Classes, func(i int) []float64 {
		for k := range byClass {
			row[k] = byClass[k][i]
		}
		return row
	}), fragments, nil
}
