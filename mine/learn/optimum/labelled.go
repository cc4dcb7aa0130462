package optimum

import (
	"context"

	"fstore/mine/learn/classes"
	"fstore/mine/learn/linear"
)

// labelled is the binary problem of one label against the others.
type labelled struct {
	*linear.Columns
	unit    []float64 // by sample: its price at C = 1
	trained []bool
}

func (s *space) newLabelled(label int, trained []bool) (*labelled, error) {
	y := classes.Signs(s.labels, s.plan[label])
	p := &labelled{unit: classes.Prices(y, s.plan, label, 1, s.o.ClassWeight), trained: trained}
	for i := range p.unit {
		if !trained[i] {
			p.unit[i] = 0
		}
	}
	var err error
	p.Columns, err = linear.NewColumns(s.learner, y, make([]float64, len(y)))
	return p, err
}

func (p *labelled) price(c float64) {
	for i, u := range p.unit {
		p.C[i] = c * u
	}
}

func (p *labelled) append(c *column, w float64) { p.Append(c.Samples, w) }

func (p *labelled) truncate(bias float64) { p.Truncate(bias) }

func (p *labelled) weights() []float64 { return p.W }

func (p *labelled) solve(ctx context.Context, tolerance float64, iterations int) (objective float64, theta []float64, taken int, err error) {
	fit, theta, err := p.Solve(ctx, linear.Options{Tolerance: tolerance, MaxIterations: iterations})
	return fit.Objective, theta, fit.Iterations, err
}

func (p *labelled) bound(theta []float64, share float64) float64 { return p.Dual(theta, share) }

func (p *labelled) radius(gap float64) float64 { return p.Radius(gap) }

func (p *labelled) pace() (columns int, share float64) { return 100, 0 }

// identify sets c.training to the samples of c that are trained on.
func (p *labelled) identify(c *column) {
	for _, s := range c.Samples {
		if p.trained[s] {
			c.training = append(c.training, s)
		}
	}
	c.hash()
}
