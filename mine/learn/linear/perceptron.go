package linear

import (
	"context"
	"math"
	"math/rand/v2"
)

// averagedPerceptron returns the mean of a perceptron's weights over all samples of all epochs (Collins 2002,
// §2.5; Freund & Schapire 1999). The mean is w − late/steps, where w has the last weights. The vector `late`
// is the sum of all corrections, each times the number of steps before it.
func averagedPerceptron(ctx context.Context, p *problem, _ []float64) ([]float64, Fit, error) {
	w, late := make([]float64, p.x.Columns), make([]float64, p.x.Columns)
	order := make([]int, p.x.Rows())
	for i := range order {
		order[i] = i
	}
	r := rand.New(rand.NewPCG(p.o.Seed, 0))
	fit := Fit{Objective: math.NaN(), Bound: math.NaN()}
	steps := 0.0
	for range p.o.Epochs {
		if err := ctx.Err(); err != nil {
			return nil, fit, err
		}
		fit.Iterations++
		fit.Mistakes = 0
		r.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
		for _, i := range order {
			if p.y[i]*p.x.Dot(i, w) <= 0 {
				fit.Mistakes++
				p.x.add(i, p.y[i], w)
				p.x.add(i, p.y[i]*steps, late)
			}
			steps++
		}
	}
	if steps > 0 {
		for j := range w {
			w[j] -= late[j] / steps
		}
	}
	fit.Converged = fit.Mistakes == 0
	return w, fit, nil
}
