package optimum

import (
	"context"
	"math"
)

// program solves this linear program (b_y and x_y: see the type ranking):
//
//	min Σ |w| + Σ over lists of max over y of C (b_y + w·(x_y − x_gold))
//
// The solver is the method of multipliers (Rockafellar 1976). A step of size σ starts with the multipliers α.
// It finds the w that minimizes
//
//	Σ |w| + Σ over lists of max Σ α′_y (α_y/σ + C (b_y + w·(x_y − x_gold))) − |α′|²/2σ
//
// Each list has its own α′ ≥ 0, with a sum of at most 1, for which its part is largest. The next step starts
// with these α′.
type program struct {
	*trial
	objective, dual  float64
	bestW, bestAlpha []float64
}

const (
	// The step size σ is firstStep/C at first and longestStep/C at most. It doubles only after a trial of
	// fewer than quickTrial iterations.
	firstStep   = 20
	longestStep = 150
	quickTrial  = 30
	// Newton steps are used only at a gap below nearGap, or after more than longerAfter steps in vain (see
	// vainShare).
	nearGap     = 0.02
	longerAfter = 10
	// A step is in vain if its gap is above vainShare times the least gap before it. The solver ends after
	// mostVain such steps in a row.
	vainShare = 0.99
	mostVain  = 40
	// A trial takes at most mostNear iterations if it uses Newton steps, else at most mostFar.
	mostNear = 100
	mostFar  = 4
	// mostSteps is the largest number of steps of one call of run.
	mostSteps = 500
	// A step is solved up to a gap of stepShare · min(the program's gap, roughestGap).
	stepShare   = 0.1
	roughestGap = 0.1
)

func newProgram(r *ranking) *program {
	return &program{
		trial: newTrial(r), objective: math.Inf(1), dual: math.Inf(-1),
		bestW: make([]float64, len(r.w)-1), bestAlpha: make([]float64, r.Samples),
	}
}

// run solves the program until its relative gap is at most `tolerance`, or until a limit is reached:
// `iterations` (about), mostSteps or mostVain.
func (p *program) run(ctx context.Context, tolerance float64, iterations int) (taken int, err error) {
	vain, least := 0, math.Inf(1)
	for gap, step := math.Inf(1), 0; taken < iterations && step < mostSteps && vain < mostVain; step++ {
		near := gap < nearGap || vain > longerAfter
		n, err := p.solve(ctx, stepShare*min(max(gap, tolerance), roughestGap), near)
		if err != nil {
			return taken, err
		}
		taken += n
		copy(p.at.alpha, p.alpha)
		p.judge()
		if gap = (p.objective - p.dual) / max(p.objective, math.SmallestNonzeroFloat64); gap <= tolerance {
			return taken, nil
		}
		if vain++; gap <= vainShare*least {
			vain = 0
		}
		least = min(least, gap)
		if near && n < quickTrial {
			p.at.sigma = min(2*p.at.sigma, longestStep/p.c)
		}
	}
	return taken, nil
}

// judge keeps the weights with the least objective so far, and the α with the largest dual objective so far.
func (p *program) judge() {
	norm := 0.0
	for _, w := range p.at.w {
		norm += math.Abs(w)
	}
	if f := p.ranking.objective(norm, p.u); f < p.objective {
		p.objective = f
		copy(p.bestW, p.at.w)
	}
	value := 0.0
	for y, a := range p.alpha {
		value += float64(a * p.gap[y])
	}
	if f := p.c * value / max(p.most, 1); f > p.dual {
		p.dual = f
		for y, a := range p.alpha {
			p.bestAlpha[y] = a / max(p.most, 1)
		}
	}
}

// price sets C. The next solution starts from the present weights and from α = 0.
func (r *ranking) price(c float64) {
	r.c = c
	r.at = multipliers{w: append([]float64(nil), r.w[1:]...), alpha: make([]float64, r.Samples), sigma: firstStep / c}
}

func (r *ranking) solve(ctx context.Context, tolerance float64, iterations int) (objective float64, theta []float64, taken int, err error) {
	p := newProgram(r)
	if taken, err = p.run(ctx, tolerance, iterations); err != nil {
		return 0, nil, 0, err
	}
	copy(r.w[1:], p.bestW)
	return p.objective, r.thetaOf(p.bestAlpha), taken, nil
}

// solve moves the weights towards the least objective, with Newton steps if withNewton is set. It ends when
// the relative gap is at most the tolerance, when a move brings no gain, or after too many iterations.
func (t *trial) solve(ctx context.Context, tolerance float64, withNewton bool) (iterations int, err error) {
	for y := range t.reach {
		t.reach[y] = t.at.alpha[y]/t.at.sigma + float64(t.c*t.ranking.gap[y])
	}
	t.look()
	most := mostFar
	if withNewton {
		most = mostNear
	}
	for gains := true; gains && iterations < most; iterations++ {
		if t.slopes() <= tolerance*t.value {
			return max(iterations, 1), nil
		}
		if err := ctx.Err(); err != nil {
			return iterations, err
		}
		if withNewton && iterations%2 == 1 {
			if t.leap() {
				t.move(true)
			}
			continue
		}
		t.descend()
		gains = t.move(false)
	}
	t.slopes()
	return iterations, nil
}
