// Package gram computes matrices of kernels between trees.
package gram

import (
	"context"

	"fstore/index"
)

// Matrix computes the kernel of pairs of trees that Reader has prepared.
type Matrix struct {
	NewKernel func() index.Kernel // makes a kernel for one goroutine
	Workers   int                 // 0: one for each processor
	Full      bool                // if Pairs gets one input: also call f for i > j, with the values of (j, i)
}

// gramRow has the values of one row. The channel `done` is closed when the values are complete.
type gramRow struct {
	values []index.Number
	done   chan struct{}
}

// Pairs calls f with K(a[i], b[j]) and its normalised value for every pair, row by row, in one goroutine. If
// b is nil, it stands for `a`, and pairs with i > j are left out unless Full is set.
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
		from := g.firstColumn(i, symmetric)
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

// rows computes the rows of the matrix in parallel, and sends them in order. A row is complete when its
// channel gramRow.done is closed.
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
				for n := g.firstColumn(i, symmetric); n < len(b) && ctx.Err() == nil; n++ {
					x, y := a[i], b[n]
					if symmetric && n < i {
						x, y = y, x // one order for (i, n) and (n, i), so that their values are equal
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

// self returns K(p[i], p[i]) for every i.
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

// firstColumn returns the first column of row i that is computed.
func (g Matrix) firstColumn(i int, symmetric bool) int {
	if symmetric && !g.Full {
		return i
	}
	return 0
}
