package optimum

import (
	"context"
	"math"

	"fstore/mine/learn/linear"
)

// program solves a ranking, which is a linear program, over its columns:
//
//	min Σ |w| + Σ ξ,  ξ of a list ≥ C (b_y + w·(x_y − x_gold)) of each of its trees
//
// by the method of multipliers (Rockafellar 1976). For given α ≥ 0 and a step σ, w and ξ minimize
//
//	Σ |w| + Σ |ξ| + σ/2 Σ max(0, α/σ + C (b_y + w·(x_y − x_gold)) − ξ)²
//
// and σ times each max is the next α. Package linear solves these steps, each from where the last ended.
// There ξ are columns as others are, and never below 0. When columns have joined, the solver goes on from
// the last w and α: so α stay near the last ones, and few fragments are beyond their bounds.
type program struct {
	*ranking
	*linear.Columns           // 1+i is ξ of list i, 1+len(Lists)+j is column j of the ranking
	reach, u        []float64 // of each row: see aim and ranking.scores
	alpha           []float64 // of each row; the α of a list add up to at most 1

	objective, dual  float64
	bestW, bestAlpha []float64
}

// multipliers is the state of a ranking's solver, from which it goes on after columns have joined.
type multipliers struct {
	w, alpha []float64
	sigma    float64
}

const (
	// σ is firstStep/C at first and longestStep/C at most. A larger σ takes fewer steps, and each takes
	// longer. So σ doubles only once in longerAfter steps in a row that are in vain.
	firstStep   = 20
	longestStep = 300
	longerAfter = 10
	// A step is in vain if its gap is more than the share gained of the least gap before it. The solver
	// ends after mostVain such steps in a row: at a large C, rounding can keep it from the gap that was
	// asked for.
	gained   = 0.99
	mostVain = 40
	// No call of run takes more steps.
	mostSteps = 500
	// The problem of a step is solved to the share stepShare of the gap, or of roughest if the gap is
	// larger, in mostStepInner iterations at most.
	stepShare     = 0.1
	roughest      = 0.1
	mostStepInner = 2000
)

func newProgram(r *ranking) *program {
	n := int(r.Samples)
	p := &program{
		ranking: r, Columns: linear.NewHinges(make([]float64, n)), reach: make([]float64, n), u: make([]float64, n), alpha: make([]float64, n),
		objective: math.Inf(1), dual: math.Inf(-1), bestW: make([]float64, len(r.w)-1), bestAlpha: make([]float64, n),
	}
	r.scores(r.at.w, p.u)
	var rows []uint32
	var values []float64
	for i := range r.Lists {
		l := &r.Lists[i]
		rows, values = rows[:0], values[:0]
		slack := 0.0
		for y := l.From; y < l.To; y++ {
			if y != l.Gold {
				rows, values = append(rows, y), append(values, 1)
				slack = max(slack, float64(r.c*r.gap[y])+p.u[y])
			}
		}
		p.AppendValues(rows, values, slack)
	}
	for j, w := range r.at.w {
		rows, values = r.rows[r.start[j]:r.start[j+1]], values[:0]
		for k := range rows {
			if values = append(values, -r.c); r.start[j]+k >= r.turn[j] {
				values[k] = r.c
			}
		}
		p.AppendValues(rows, values, w)
	}
	return p
}

// run solves the program to a gap of tolerance, a share of the objective, unless it ends before that. It
// begins no step after so many iterations of linear, and returns how many it took.
func (p *program) run(ctx context.Context, tolerance float64, iterations int) (taken int, err error) {
	at := &p.at
	vain, least := 0, math.Inf(1)
	for gap, step := math.Inf(1), 0; taken < iterations && step < mostSteps && vain < mostVain; step++ {
		p.aim()
		fit, theta, err := p.Solve(ctx, linear.Options{Tolerance: stepShare * min(max(gap, tolerance), roughest), MaxIterations: mostStepInner})
		if err != nil {
			return taken, err
		}
		taken += max(fit.Iterations, 1)
		copy(at.w, p.W[1+len(p.Lists):])
		for y, t := range theta {
			at.alpha[y] = math.Abs(t)
		}
		p.judge()
		if gap = (p.objective - p.dual) / max(p.objective, math.SmallestNonzeroFloat64); gap <= tolerance {
			return taken, nil
		}
		if vain++; gap <= gained*least {
			vain = 0
		}
		least = min(least, gap)
		if vain%longerAfter == longerAfter-1 {
			at.sigma = min(2*at.sigma, longestStep/p.c)
		}
	}
	return taken, nil
}

// aim sets the problem of the next step.
func (p *program) aim() {
	for i := range p.Lists {
		l := &p.Lists[i]
		for y := l.From; y < l.To; y++ {
			if y != l.Gold {
				p.C[y] = p.at.sigma / 2
				p.reach[y] = p.at.alpha[y]/p.at.sigma + float64(p.c*p.gap[y])
			}
		}
	}
	p.Reach(p.reach)
}

// judge keeps the best weights and α so far.
func (p *program) judge() {
	norm := 0.0
	for _, w := range p.at.w {
		norm += math.Abs(w)
	}
	p.scores(p.at.w, p.u)
	if f := p.ranking.objective(norm, p.u); f < p.objective {
		p.objective = f
		copy(p.bestW, p.at.w)
	}
	value, most := 0.0, 1.0
	for i := range p.Lists {
		l := &p.Lists[i]
		sum := 0.0
		for y := l.From; y < l.To; y++ {
			sum += p.at.alpha[y]
		}
		for y := l.From; y < l.To; y++ {
			p.alpha[y] = p.at.alpha[y] / max(sum, 1)
			value += float64(p.alpha[y] * p.gap[y])
		}
	}
	for j := range p.at.w {
		most = max(most, math.Abs(p.X.Dot(1+len(p.Lists)+j, p.alpha)))
	}
	if f := max(p.c*value/most, 0); f > p.dual {
		p.dual = f
		copy(p.bestAlpha, p.alpha)
	}
}
