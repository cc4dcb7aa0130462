// Package gram computes kernel matrices of trees that are read or stored.
package gram

import (
	"context"

	"fstore/index"
)

// Matrix evaluates kernels between prepared trees.
type Matrix struct {
	NewKernel func() index.Kernel // one for each goroutine
	Workers   int                 // 0 is one a processor
	Full      bool                // Pairs of one input: i > j as well, the same values as j < i
}

// gramRow is the values of one row, and a signal that they are there.
type gramRow struct {
	values []index.Number
	done   chan struct{}
}

// Pairs calls f with K(a[i], b[j]) and its normalised value for every pair, row by row; with b nil, for the
// pairs i ≤ j of a, or all of them where Full is set. Rows are computed side by side, some ahead. One
// goroutine calls f, in order. Pairs returns as soon as ctx is done; its goroutines end with their pair.
func (g Matrix) Pairs(ctx context.Context, a, b []any, f func(i, j int, k index.Number, normalized float64) error) error {
	workers := index.Workers(g.Workers)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	symmetric := b == nil
	if symmetric {
		b = a
	}
	da, err := g.self(ctx, a)
	if err != nil {
		return err
	}
	db := da
	if !symmetric {
		if db, err = g.self(ctx, b); err != nil {
			return err
		}
	}
	i := 0
	for r := range g.rows(ctx, workers, a, b, symmetric) {
		select {
		case <-r.done:
		case <-ctx.Done():
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		from := g.first(i, symmetric)
		for n, k := range r.values {
			j := from + n
			if err := f(i, j, k, index.Normalized(k, da[i], db[j])); err != nil {
				return err
			}
		}
		i++
	}
	return ctx.Err()
}

// rows computes the rows of the matrix, as many side by side as there are workers, and returns them in
// order: each is whole when it is done.
func (g Matrix) rows(ctx context.Context, workers int, a, b []any, symmetric bool) <-chan *gramRow {
	order := make(chan *gramRow, 4*workers)
	kernels := make(chan index.Kernel, workers)
	for range workers {
		kernels <- g.NewKernel()
	}
	go func() {
		defer close(order)
		for i := range a {
			r := &gramRow{done: make(chan struct{})}
			select {
			case order <- r:
			case <-ctx.Done():
				return
			}
			k := <-kernels
			go func() {
				for n := g.first(i, symmetric); n < len(b) && ctx.Err() == nil; n++ {
					x, y := a[i], b[n]
					if symmetric && n < i {
						x, y = y, x // the same sum, to the last bit
					}
					r.values = append(r.values, k.Eval(x, y))
				}
				close(r.done)
				kernels <- k
			}()
		}
	}()
	return order
}

// self returns K(p[i], p[i]).
func (g Matrix) self(ctx context.Context, p []any) ([]index.Number, error) {
	all := make(chan []index.Number, 1)
	go func() {
		k := g.NewKernel()
		d := make([]index.Number, len(p))
		for i := range p {
			if ctx.Err() != nil {
				return
			}
			d[i] = k.Eval(p[i], p[i])
		}
		all <- d
	}()
	select {
	case d := <-all:
		return d, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// first is the first column of row i.
func (g Matrix) first(i int, symmetric bool) int {
	if symmetric && !g.Full {
		return i
	}
	return 0
}
