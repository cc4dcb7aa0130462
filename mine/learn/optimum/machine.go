package optimum

import (
	"context"
	"math"
	"slices"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/mine/judge"
)

const (
	// The working set is first solved to the gap firstShare·Options.Gap, and later down to leastTolerance if
	// needed.
	firstShare     = 0.25
	leastTolerance = 1e-12
	// mostIterations limits the iterations of the solver at one value of C, even if it has not converged.
	mostIterations = 20_000
	// After a pass, the working set grows by at most max(problem.pace, shareJoined · its size) columns.
	shareJoined = 0.5
	// A fragment joins the working set if its |Σ θ| is above threshold. A sum between 1 and threshold makes
	// almost no difference to Point.Bound.
	threshold = 1 + 1e-9
)

// Point is the state of a machine after training at one value of C.
type Point struct {
	C                float64
	Objective, Bound float64 // Bound is a lower bound of the objective over all fragments
	Active           int     // the number of columns with a weight
	Working          int     // the number of columns in the working set
	Passes           int     // the number of passes over the space
	Passed                   // summed over the passes, except Most, which is that of the last pass
	Converged        bool
}

// Gap returns the relative duality gap, (Objective − Bound) / Objective.
func (p *Point) Gap() float64 {
	if p.Objective <= 0 {
		return 0
	}
	return max(p.Objective-p.Bound, 0) / p.Objective
}

// machine solves one problem: one label against the others, or the ranking of all lists.
type machine struct {
	*space
	trained []bool
	first   []uint32 // the result of firstOf
	problem problem
	working []*column // the columns of problem
}

// problem is an objective over the working set: Σ |w| plus C times the losses. Its dual has a variable θ for
// each sample. The θ of a column's samples must add up to a number from -1 to 1.
type problem interface {
	// price sets C, the factor of the losses.
	price(c float64)
	// append appends a column, with its weight.
	append(c *column, w float64)
	// truncate drops all columns and sets the bias.
	truncate(bias float64)
	// weights returns the bias, and then the weight of each column.
	weights() []float64
	// solve minimises the objective over the columns, to a relative gap of `tolerance` or for about the given
	// number of iterations. Over the samples of each column, |Σ theta| is at most about
	// 1 + tolerance.
	solve(ctx context.Context, tolerance float64, iterations int) (objective float64, theta []float64, taken int, err error)
	// bound returns the dual objective at share·theta. It is a lower bound of the objective if all columns
	// have |Σ share·θ| ≤ 1.
	bound(theta []float64, share float64) float64
	// radius returns the largest possible distance between the dual optimum and a point whose dual objective
	// is lower by the gap. It is infinite if no limit is known.
	radius(gap float64) float64
	// pace returns how many columns can join a small working set after a pass. With a `share` above 0,
	// `solve` can stop early, at about this share of the present gap.
	pace() (columns int, share float64)
	// identify sets c.training, on which the objective depends, and c.identified, the hash of c.training.
	identify(c *column)
}

// newMachine returns the machine for the label plan[label], or the only machine if there are K-best lists.
func (s *space) newMachine(label int, trained []bool) (*machine, error) {
	m := &machine{space: s, trained: trained, first: s.firstOf(trained)}
	if s.lists != nil {
		m.problem = newRanking(s.lists)
		return m, nil
	}
	var err error
	m.problem, err = s.newLabelled(label, trained)
	return m, err
}

// start returns the largest C for which no fragment has a weight. For K-best lists it can return a smaller C.
func (m *machine) start() (float64, error) {
	m.problem.price(1)
	_, theta, _, err := m.problem.solve(m.ctx, leastTolerance, mostIterations)
	if err != nil {
		return 0, err
	}
	most, err := m.largest(theta)
	if err != nil || most == 0 {
		return math.Inf(1), err
	}
	return 1 / most, nil
}

// dual returns the objective of a pass that scores a fragment by the sum of theta over its samples.
func (m *machine) dual(theta []float64) *dual {
	d := &dual{
		theta: make([]float64, len(theta)), trained: m.trained, identify: m.problem.identify, first: make([]bool, len(theta)),
		minSupport: int(m.from.Limits.MinSupport), violators: map[uint64][]*column{},
	}
	for i, t := range theta {
		if m.trained[i] {
			d.theta[m.first[i]] += t
			d.first[m.first[i]] = true
		}
	}
	if m.active {
		d.among = make([]bool, len(theta))
		for i, t := range theta {
			d.among[m.first[i]] = d.among[m.first[i]] || t != 0
		}
		for i, first := range m.first {
			d.among[i] = d.among[first]
		}
	}
	return d
}

func (m *machine) pass(d judge.Objective, at *judge.Threshold) error {
	return m.passWithin(d, at, m.from.Limits.MaxOrder)
}

// passWithin makes a pass over all fragments up to this order, where 0 stands for any order.
func (m *machine) passWithin(d judge.Objective, at *judge.Threshold, order int) error {
	l := m.from.Limits
	l.MaxOrder = order
	l.Closed = false // a fragment is simpler than its closure, and has the same samples
	return m.from.Run(judge.NewPass(d, l, at, grow.NewBudget(0)), judge.CountOnly)
}

// solve trains the machine at price c.
func (m *machine) solve(c float64) (p Point, err error) {
	m.problem.price(c)
	p = Point{C: c, Bound: math.Inf(-1)}
	_, share := m.problem.pace()
	left := mostIterations
	for tolerance := firstShare * m.o.Gap; ; {
		rough := tolerance
		if share > 0 {
			rough = max(tolerance, share*p.Gap()*tolerance/(firstShare*m.o.Gap))
		}
		objective, theta, taken, err := m.problem.solve(m.ctx, rough, left)
		if err != nil {
			return p, err
		}
		left -= taken
		p.Objective = objective
		d := m.dual(theta)
		d.collect, d.wanted, d.radius = true, m.most()+len(m.working), m.problem.radius(m.o.Gap*objective)
		if err := m.pass(d, &judge.Threshold{Least: threshold}); err != nil {
			return p, err
		}
		p.Passes++
		p.Visited, p.Screened, p.Most = p.Visited+d.Visited, p.Screened+d.Screened, d.Most
		p.Bound = max(p.Bound, m.problem.bound(theta, 1/max(d.Most, 1)))
		if p.Converged = p.Gap() <= m.o.Gap; p.Converged {
			m.leaveOut(theta, 1/max(d.Most, 1), m.problem.radius(p.Objective-p.Bound))
			break
		}
		if left <= 0 {
			break
		}
		added, err := m.join(d)
		if err != nil {
			return p, err
		}
		if added == 0 {
			if rough > tolerance {
				share /= 2
			} else if tolerance /= 10; tolerance < leastTolerance {
				break
			}
		}
	}
	p.Working = len(m.working)
	for _, w := range m.problem.weights()[1:] {
		if w != 0 {
			p.Active++
		}
	}
	return p, nil
}

// largest returns the largest |sum of theta| that a fragment has over its samples. A pass over order 1 comes
// first, because its result prunes the next pass.
func (m *machine) largest(theta []float64) (float64, error) {
	d := m.dual(theta)
	if err := m.passWithin(d, &judge.Threshold{Most: 1}, 1); err != nil || m.from.Limits.MaxOrder == 1 {
		return d.Most, err
	}
	err := m.pass(d, &judge.Threshold{Most: 1, Least: d.Most * judge.BoundSlack})
	return d.Most, err
}

// most returns how many columns can join the working set after a pass.
func (m *machine) most() int {
	few, _ := m.problem.pace()
	return max(few, int(shareJoined*float64(len(m.working))))
}

// join adds the columns with the largest sums to the working set, and returns their number.
func (m *machine) join(d *dual) (added int, err error) {
	known := map[uint64][]*column{}
	for _, c := range m.working {
		if d.among != nil {
			seen := &column{Samples: slices.DeleteFunc(slices.Clone(c.Samples), func(s uint32) bool { return !d.among[s] })}
			m.problem.identify(seen)
			c = seen
		}
		known[c.identified] = append(known[c.identified], c)
	}
	var joined []*column
	for _, c := range worst(d.violators, d.wanted) {
		if len(joined) < m.most() && !has(known[c.identified], c) {
			joined = append(joined, c)
		}
	}
	if d.among != nil && len(joined) > 0 {
		if err := m.complete(joined); err != nil {
			return 0, err
		}
	}
	for _, c := range joined {
		m.append(c, 0)
	}
	return len(joined), nil
}

// complete finds all samples of these columns. So far they have only those of dual.among.
func (m *machine) complete(columns []*column) error {
	x := &completion{at: map[string]*column{}}
	for _, c := range columns {
		rest := index.Code(c.Code)
		for ok := true; ok; _, rest, ok = rest.Next() {
			x.at[string(c.Code[:len(c.Code)-len(rest)])] = nil
		}
	}
	for _, c := range columns {
		x.at[string(c.Code)] = c
	}
	if err := m.pass(x, &judge.Threshold{}); err != nil {
		return err
	}
	for _, c := range columns {
		c.training = nil
		m.problem.identify(c)
	}
	return nil
}

func has(list []*column, c *column) bool {
	for _, e := range list {
		if slices.Equal(e.training, c.training) {
			return true
		}
	}
	return false
}

func (m *machine) append(c *column, w float64) {
	m.working = append(m.working, c)
	m.problem.append(c, w)
}

// leaveOut drops columns whose weight is 0 now and at the optimum. The dual optimum lies within `radius` of
// share·theta.
func (m *machine) leaveOut(theta []float64, share, radius float64) {
	if math.IsInf(radius, 1) {
		return
	}
	old, w := m.working, slices.Clone(m.problem.weights())
	keep := func(k int) bool {
		sum := 0.0
		for _, s := range old[k].training {
			sum += theta[s]
		}
		return w[k+1] != 0 || math.Abs(sum)*share+radius*math.Sqrt(float64(len(old[k].training))) >= judge.BoundSlack
	}
	var kept []int
	for k := range old {
		if keep(k) {
			kept = append(kept, k)
		}
	}
	if len(kept) == len(old) {
		return
	}
	m.working = nil
	m.problem.truncate(w[0])
	for _, k := range kept {
		m.append(old[k], w[k+1])
	}
}

// scores returns the scores of all samples of the store.
func (m *machine) scores() []float64 {
	all, weights := make([]float64, len(m.trained)), m.problem.weights()
	for i := range all {
		all[i] = weights[0]
	}
	for k, c := range m.working {
		if w := weights[k+1]; w != 0 {
			for _, s := range c.Samples {
				all[s] += w
			}
		}
	}
	return all
}
