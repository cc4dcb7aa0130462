package linear

import (
	"math"
	"math/rand/v2"
)

// randomSamples makes n samples of the given number of classes. Each sample has a few of the features from 1
// to features, and more often the features of its class.
func randomSamples(r *rand.Rand, n, features, classes int, bias float64) *Samples {
	s := &Samples{X: NewMatrix(uint32(features), bias)}
	for i := range n {
		class := r.IntN(classes)
		if i < classes {
			class = i // so that no class is empty
		}
		var ids []uint32
		var values []float64
		for j := 1; j <= features; j++ {
			chance := 0.2
			if j%classes == class {
				chance = 0.5
			}
			if r.Float64() < chance {
				ids, values = append(ids, uint32(j)), append(values, math.Round(8*r.Float64())/4-0.5)
			}
		}
		s.X.Append(ids, values)
		s.Labels = append(s.Labels, []string{string(rune('a' + class))})
	}
	return s
}

// binaryProblem makes a binary problem with random prices.
func binaryProblem(r *rand.Rand, s *Samples, o *Options) *problem {
	p := &problem{x: s.X, cols: s.X.transpose(), o: o}
	for i := range s.Labels {
		y := -1.0
		if s.Labels[i][0] == "a" {
			y = 1
		}
		p.y, p.c = append(p.y, y), append(p.c, o.C*(0.5+r.Float64()))
	}
	return p
}

// objective returns the objective of the weights w, computed in the obvious way.
func (p *problem) objective(ls loss, norm func(w float64) float64, w []float64) (f float64) {
	for _, x := range w {
		f += norm(x)
	}
	for i := range p.y {
		v, _, _ := ls.at(p.y[i] * p.x.Dot(i, w))
		f += p.c[i] * v
	}
	return f
}

// slowly returns the least objective, by proximal gradient steps with the function `prox`. It is far too slow
// for more than a few features.
func (p *problem) slowly(ls loss, norm func(w float64) float64, prox func(w, step float64) float64) float64 {
	w := make([]float64, p.x.Columns)
	// The curvature is at most 2·Σ c·‖x‖², because the second derivatives of the losses are at most 2.
	bound := 0.0
	for i := range p.y {
		_, values := p.x.Row(i)
		bound += 2 * p.c[i] * square(values)
	}
	step := 1 / bound
	momentum, before, t := append([]float64(nil), w...), append([]float64(nil), w...), 1.0
	last := p.objective(ls, norm, w)
	for n := range 200_000 {
		g := make([]float64, len(w))
		for i := range p.y {
			_, d, _ := ls.at(p.y[i] * p.x.Dot(i, momentum))
			p.x.add(i, p.c[i]*d*p.y[i], g)
		}
		for j := range w {
			w[j] = prox(momentum[j]-step*g[j], step)
		}
		next := (1 + math.Sqrt(1+4*t*t)) / 2
		for j := range w {
			momentum[j] = w[j] + (t-1)/next*(w[j]-before[j])
			before[j] = w[j]
		}
		t = next
		if n%500 == 499 { // restart, because momentum from a slope before can lead away from the minimum
			f := p.objective(ls, norm, w)
			if last-f <= 1e-12*f {
				return f
			}
			last, t = f, 1
			copy(momentum, w)
		}
	}
	return p.objective(ls, norm, w)
}

func softThreshold(w, step float64) float64 {
	return math.Copysign(max(math.Abs(w)-step, 0), w)
}

func shrink(w, step float64) float64 { return w / (1 + step) }

func half(w float64) float64 { return w * w / 2 }
