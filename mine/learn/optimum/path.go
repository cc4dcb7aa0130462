package optimum

import (
	"context"
	"math"
	"slices"
	"strconv"

	"fstore/index"
	"fstore/mine/gradient"
	"fstore/mine/grow"
	"fstore/mine/judge"
	"fstore/mine/learn/classes"
	"fstore/mine/learn/crossval"
	"fstore/mine/learn/linear"
	"fstore/mine/query"
	"fstore/store"
)

// Path is the result of Run.
type Path struct {
	Labels  []string // as classes.Plan returns them; nil with Lists
	Info    *store.SpaceInfo
	Space   index.Space
	Limits  index.Limits
	Samples int              // the number of samples, or lists, that were trained on
	Left    int              // the number of samples without a label
	Prices  []float64        // ascending
	Points  [][]Point        // by machine and price, up to the price Chosen
	Trials  []crossval.Trial // by price, without the first price if there are several; nil without folds
	Chosen  int              // the index of the model's price in Prices
	Entries []store.Entry    // the fragments with a weight, in code order, with the columns support and occurrences
	Weights [][]float64      // by machine: the weight of the bias, then of each fragment of Entries
}

// Run trains every machine along the path of prices. The result does not depend on the workers or the memory.
// The error is an *index.UsageError if the store does not have two labels, or has no K-best lists.
func Run(ctx context.Context, w *store.Writer, o Options) (*Path, error) {
	o.setDefaults()
	s, path, err := open(ctx, w.Store(), &o)
	if err != nil {
		return nil, err
	}
	machines := make([]*machine, len(path.Points))
	start := math.Inf(1)
	for k := range machines {
		if machines[k], err = s.newMachine(k, s.trained); err != nil {
			return nil, err
		}
		if o.Values == 1 {
			continue
		}
		c, err := machines[k].start()
		if err != nil {
			return nil, err
		}
		start = min(start, c)
	}
	path.Prices = prices(start, o.C, o.Values)
	path.Chosen = len(path.Prices) - 1
	st, err := openState(w, &o)
	if err != nil {
		return nil, err
	}
	if o.Folds != nil {
		if path.Trials, err = s.crossValidate(path, st); err != nil {
			return nil, err
		}
		if first := len(path.Prices) - len(path.Trials); path.Chosen > 0 {
			path.Chosen = first + crossval.Best(path.Trials)
		}
	}
	o.Progress.Step("path", "problems", int64(len(machines)*(path.Chosen+1)))
	for k, m := range machines {
		x := st.walk(-1, k)
		if err := x.run(m, st, path.Prices[:path.Chosen+1], nil); err != nil {
			return nil, err
		}
		path.Points[k] = x.Points
	}
	path.gather(machines)
	return path, nil
}

// open prepares the space, the samples, and the labels or lists to learn from.
func open(ctx context.Context, st *store.Store, o *Options) (*space, *Path, error) {
	s := &space{ctx: ctx, o: o}
	var err error
	if !o.Lists {
		if s.learner, err = linear.Lookup(o.Learner); err != nil {
			return nil, nil, err
		}
	}
	in, info, err := query.SpaceOf(st, o.Space)
	if err != nil {
		return nil, nil, err
	}
	syms, err := st.Symbols()
	if err != nil {
		return nil, nil, err
	}
	l := index.Limits{MinSupport: o.MinSupport, MaxOrder: o.MaxOrder}
	if l.MaxOrder < 0 || l.MaxOrder > grow.MaxMaxOrder {
		return nil, nil, index.Usagef("an order of at most %d; 0 is any", grow.MaxMaxOrder)
	}
	path := &Path{Info: info, Space: in, Limits: l}
	// Without a maximum order, each fragment has a closed fragment with the same samples. So a pass can skip
	// branches without closed fragments.
	_, covering := in.(index.Covering)
	l.Closed = covering && l.MaxOrder == 0
	if o.Lists {
		if err := s.trainOnLists(st, in, &l); err != nil {
			return nil, nil, err
		}
		path.Samples, path.Points = len(s.lists.Lists), make([][]Point, 1)
	}
	s.from = &judge.Source{
		Source: grow.Source{
			Ctx: ctx, St: st, Syms: syms, Samples: st.Meta().Samples,
			Workers: o.Workers, Memory: o.Memory, Progress: index.NoProgress{}, // too many passes to report
		},
		SpaceLimits: grow.SpaceLimits{Space: in, Limits: l}, Info: info, Grow: true,
	}
	if err := s.read(st); err != nil {
		return nil, nil, err
	}
	if o.Lists {
		return s, path, nil
	}
	path.Left = s.trainOnLabels()
	path.Samples = len(s.labels) - path.Left
	n := 0
	if s.plan, n, err = classes.Plan(classes.Names(s.labels), o.Positive); err != nil {
		return nil, nil, err
	}
	path.Labels, path.Points = s.plan, make([][]Point, n)
	return s, path, nil
}

// trainOnLabels marks the samples with a label as trained on, and returns the number of the other samples.
func (s *space) trainOnLabels() (left int) {
	for _, labels := range s.labels {
		if s.trained = append(s.trained, len(labels) > 0); len(labels) == 0 {
			left++
		}
	}
	return left
}

// trainOnLists reads the K-best lists, and marks their candidates as trained on. It raises l.MinSupport to
// the least support that a fragment of the working set can have.
func (s *space) trainOnLists(st *store.Store, in index.Space, l *index.Limits) (err error) {
	if s.lists, err = gradient.NewLists(s.ctx, st, in, s.o.Base, nil); err != nil {
		return err
	}
	if s.lists == nil {
		return index.Usagef("the samples of the store are no K-best lists")
	}
	// A list adds at most C to a fragment's sum, so a sum above 1 needs more than 1/C lists.
	fewestLists := uint32(min(1/s.o.C, math.MaxInt32)) + 1
	// With s.active, passes skip trees for which all θ are 0. Such passes cannot check a MinSupport above
	// fewestLists, and save no time at MaxOrder 1.
	s.active = l.MinSupport <= fewestLists && s.o.MaxOrder != 1
	l.MinSupport = max(l.MinSupport, fewestLists)
	s.trained = make([]bool, st.Meta().Samples)
	for _, list := range s.lists.Lists {
		for y := list.From; y < list.To; y++ {
			s.trained[y] = true
		}
	}
	return nil
}

// read reads the labels of the samples, and the hashes of their trees.
func (s *space) read(st *store.Store) error {
	s.o.Progress.Step("read", "samples", int64(st.Meta().Samples))
	var buf []byte
	return st.Samples(0, st.Meta().Samples, func(id uint32, t *index.Tree) error {
		var labels []string
		index.SplitLabels(t.Label, func(label string) { labels = append(labels, label) })
		s.labels = append(s.labels, labels)
		var key [2]uint64
		key, buf = treeKey(t, buf)
		s.trees = append(s.trees, key)
		if id&0xFF == 0 {
			s.o.Progress.Add(0x100)
			return s.ctx.Err()
		}
		return nil
	})
}

// prices returns n values of C from minC to maxC, in equal ratios. If minC is not below maxC, it returns only
// maxC.
func prices(minC, maxC float64, n int) []float64 {
	if !(minC < maxC) || n == 1 {
		return []float64{maxC}
	}
	all := make([]float64, n)
	for i := range all {
		c := minC * math.Pow(maxC/minC, float64(i)/float64(n-1))
		unit := math.Pow(10, math.Floor(math.Log10(c))-3)
		all[i], _ = strconv.ParseFloat(strconv.FormatFloat(math.Floor(c/unit)*unit, 'g', 4, 64), 64)
	}
	all[n-1] = maxC
	return all
}

// crossValidate predicts each fold by machines that follow the path on the other folds. The first of several
// prices has no trial, because at this price no fragment has a weight.
func (s *space) crossValidate(path *Path, st *state) ([]crossval.Trial, error) {
	var numbers []int
	for i, l := range s.labels {
		if len(l) > 0 {
			numbers = append(numbers, i)
		}
	}
	folds, n := s.o.Folds, len(path.Points)
	if len(folds) != len(numbers) || folds.Count() < 2 {
		return nil, index.Usagef("cross-validation needs a fold for each labelled sample, and two folds")
	}
	trials := make([]crossval.Trial, len(path.Prices))
	for p, c := range path.Prices {
		trials[p].C = c
	}
	s.o.Progress.Step("cross-validate", "problems", int64(folds.Count()*n*len(path.Prices)))
	for fold := range folds.Count() {
		outside, inside := folds.Split(fold)
		trained := make([]bool, len(s.labels))
		for _, i := range outside {
			trained[numbers[i]] = true
		}
		held := make([]int, len(inside))
		for i, at := range inside {
			held[i] = numbers[at]
		}
		walks := make([]*walk, n)
		for k := range walks {
			m, err := s.newMachine(k, trained)
			if err != nil {
				return nil, err
			}
			walks[k] = st.walk(fold, k)
			if err := walks[k].run(m, st, path.Prices, held); err != nil {
				return nil, err
			}
		}
		one := make([]float64, n)
		for p := range trials {
			for i, at := range held {
				for k, x := range walks {
					one[k] = x.Scores[p][i]
				}
				trials[p].Outcomes.Add(classes.Predict(s.plan, one), classes.Gold(s.plan, s.labels[at]))
			}
		}
	}
	return trials[min(1, len(trials)-1):], nil
}

// gather sets Entries and Weights of the path from the machines.
func (p *Path) gather(machines []*machine) {
	at := map[string]int{}
	var all []*column
	for _, m := range machines {
		for k, c := range m.working {
			if _, ok := at[string(c.Code)]; !ok && m.problem.weights()[k+1] != 0 {
				at[string(c.Code)] = 0
				all = append(all, c)
			}
		}
	}
	slices.SortFunc(all, func(a, b *column) int { return slices.Compare(a.Code, b.Code) })
	for i, c := range all {
		at[string(c.Code)] = i
		support := float64(len(c.Samples))
		p.Entries = append(p.Entries, store.Entry{Code: c.Code, Score: support, Stats: []float64{support, float64(c.Occ)}})
	}
	for _, m := range machines {
		w := make([]float64, 1+len(all))
		learned := m.problem.weights()
		w[0] = learned[0]
		for k, c := range m.working {
			if x := learned[k+1]; x != 0 {
				w[1+at[string(c.Code)]] = x
			}
		}
		p.Weights = append(p.Weights, w)
	}
}
