package mine

import (
	"context"
	"fmt"
	"testing"

	"fstore/index"
	"fstore/index/stk"
)

func TestPairsInOrder(t *testing.T) {
	s := index.NewSymbols()
	src := newSource(s, 3, 0, 40)
	var trees []*index.Tree
	for {
		var tree index.Tree
		if src.Next(&tree) != nil {
			break
		}
		trees = append(trees, &tree)
	}
	g := Gram{NewKernel: func() index.Kernel { return stk.Space{}.NewKernel(s, 0.4) }}
	p := g.Prepare(trees)
	k := g.NewKernel()
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
	stop := fmt.Errorf("stop")
	if err := g.Pairs(context.Background(), p, nil, func(int, int, index.Number, float64) error { return stop }); err != stop {
		t.Fatal(err)
	}
}
