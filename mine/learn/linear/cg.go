package linear

import (
	"context"
	"math"
)

// conjugate solves H·step = −g by conjugate gradients, preconditioned by the diagonal of H.
type conjugate struct {
	step                                 []float64
	residual, scaled, direction, product []float64
}

func (c *conjugate) reset(n int) {
	for _, v := range []*[]float64{&c.step, &c.residual, &c.scaled, &c.direction, &c.product} {
		*v = append((*v)[:0], make([]float64, n)...)
	}
}

// solve sets c.step to about the solution of H·step = −g, where hessian(v, product) writes H·v to
// product. It ends when ‖residual‖ ≤ tolerance·‖g‖, or after maxProducts products with H.
func (c *conjugate) solve(ctx context.Context, g, diagonal []float64, tolerance float64, maxProducts int, hessian func(v, product []float64)) error {
	c.reset(len(g))
	for j, x := range g {
		c.residual[j] = -x
		c.scaled[j] = -x / diagonal[j]
	}
	copy(c.direction, c.scaled)
	goal := tolerance * math.Sqrt(square(g))
	rs := dot(c.residual, c.scaled)
	for range maxProducts {
		if math.Sqrt(square(c.residual)) <= goal {
			break
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		hessian(c.direction, c.product)
		a := rs / dot(c.direction, c.product)
		for j := range g {
			c.step[j] += float64(a * c.direction[j])
			c.residual[j] -= float64(a * c.product[j])
			c.scaled[j] = c.residual[j] / diagonal[j]
		}
		next := dot(c.residual, c.scaled)
		b := next / rs
		for j, s := range c.scaled {
			c.direction[j] = s + float64(b*c.direction[j])
		}
		rs = next
	}
	return nil
}

func dot(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}

func square(a []float64) float64 { return dot(a, a) }
