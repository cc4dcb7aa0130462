package gram

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"fstore/index"
	"fstore/index/stk"
	"fstore/mine/internal/minetest"
)

func TestPairsInOrder(t *testing.T) {
	s := index.NewSymbols()
	src := minetest.NewSource(s, 3, 0, 40)
	var trees []*index.Tree
	for {
		var tree index.Tree
		if src.Next(&tree) != nil {
			break
		}
		trees = append(trees, &tree)
	}
	g := Matrix{NewKernel: func() index.Kernel { return stk.Space{}.NewKernel(s, 0.4) }}
	k := g.NewKernel()
	p := make([]any, len(trees))
	for i := range trees {
		var err error
		if p[i], err = k.Prepare(trees[i]); err != nil {
			t.Fatal(err)
		}
	}
	var want, wantAll string
	for i := range p {
		for j := range p {
			v := k.Eval(p[i], p[j])
			line := fmt.Sprintln(i, j, v, index.Normalized(v, k.Eval(p[i], p[i]), k.Eval(p[j], p[j])))
			wantAll += line
			if j >= i {
				want += line
			}
		}
	}
	for _, workers := range []int{1, 5} {
		g.Workers = workers
		for _, b := range [][]any{nil, p} {
			got := ""
			err := g.Pairs(context.Background(), p, b, func(i, j int, k index.Number, n float64) error {
				got += fmt.Sprintln(i, j, k, n)
				return nil
			})
			if err != nil || b == nil && got != want || b != nil && got != wantAll {
				t.Fatalf("%d workers: %v\n%s", workers, err, got)
			}
		}
	}
	// With one input, all pairs are visited, and K(i, j) and K(j, i) are equal to the last bit.
	g.Full = true
	full := map[[2]int]string{}
	err := g.Pairs(context.Background(), p, nil, func(i, j int, k index.Number, n float64) error {
		full[[2]int{i, j}] = fmt.Sprintln(k, n)
		return nil
	})
	if err != nil || len(full) != len(p)*len(p) {
		t.Fatalf("full: %v, %d values", err, len(full))
	}
	for at, v := range full {
		if other := full[[2]int{at[1], at[0]}]; v != other {
			t.Fatalf("%v: %s, and the other way round %s", at, v, other)
		}
	}
	stop := fmt.Errorf("stop")
	if err := g.Pairs(context.Background(), p, nil, func(int, int, index.Number, float64) error { return stop }); err != stop {
		t.Fatal(err)
	}
}

// stopping is a kernel that cancels the context at some evaluation. The evaluation then lasts until release
// is closed.
type stopping struct {
	index.Kernel
	left    *atomic.Int64
	cancel  func()
	release chan struct{}
}

func (k stopping) Eval(any, any) index.Number {
	if k.left.Add(-1) == 0 {
		k.cancel()
		<-k.release
	}
	return index.NumberOf(1)
}

// Pairs ends when its context is cancelled, on the diagonal or within a row, even while it evaluates a
// kernel.
func TestPairsStop(t *testing.T) {
	for _, after := range []int64{3, 105} {
		ctx, cancel := context.WithCancel(context.Background())
		k := stopping{left: new(atomic.Int64), cancel: cancel, release: make(chan struct{})}
		k.left.Store(after)
		g := Matrix{Workers: 1, NewKernel: func() index.Kernel { return k }}
		err := g.Pairs(ctx, make([]any, 100), nil, func(int, int, index.Number, float64) error { return nil })
		close(k.release)
		if !errors.Is(err, context.Canceled) || k.left.Load() != 0 {
			t.Errorf("after %d: %v, %d more", after, err, -k.left.Load())
		}
	}
}
