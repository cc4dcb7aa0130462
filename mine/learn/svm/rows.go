package svm

import (
	"container/list"
	"context"
	"sync"

	"fstore/index"
)

// kernelRows has rows of the kernel matrix of trees, and keeps the rows that were used last. Goroutines can
// share a kernelRows. The values of a row never change.
type kernelRows struct {
	t       *trees
	workers int
	most    int   // how many rows stay in memory
	apart   int64 // how many bytes of shortened rows one problem is allowed to keep

	progress index.Progress // counts the rows that are evaluated

	mu         sync.Mutex
	have       map[int]*list.Element
	recent     *list.List // the rows in memory (*row), the last used first
	evaluators sync.Pool
}

// row is one row. The first goroutine that needs it evaluates it.
type row struct {
	i      int
	once   sync.Once
	values []float64
	err    error
}

// leastRows is how many rows stay in memory even if memory is short, because a working set needs two.
const leastRows = 2

// newRows returns a kernelRows that keeps as many rows as fit into three quarters of maxBytes, but at least
// leastRows. The other quarter is for the rows that active problems keep (active.row).
func newRows(t *trees, workers int, maxBytes int64) *kernelRows {
	n := int64(max(len(t.prepared), 1))
	r := &kernelRows{t: t, workers: workers, most: int(max((maxBytes-maxBytes/4)/(8*n), leastRows)), apart: maxBytes / 4 / int64(max(workers, 1)), have: map[int]*list.Element{}, recent: list.New(), progress: index.NoProgress{}}
	r.evaluators.New = func() any { return t.newEvaluator() }
	return r
}

func (r *kernelRows) get(i int) ([]float64, error) {
	x := r.find(i)
	x.once.Do(func() {
		e := r.evaluators.Get().(*evaluator)
		defer r.evaluators.Put(e)
		values := make([]float64, len(r.t.prepared))
		if x.err = e.row(values, r.t.prepared[i], r.t.self[i]); x.err == nil {
			x.values = values
			r.progress.Add(1)
		}
	})
	return x.values, x.err
}

// find returns row i, which may still have to be evaluated, and marks it as the last used.
func (r *kernelRows) find(i int) *row {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.have[i]; e != nil {
		r.recent.MoveToFront(e)
		return e.Value.(*row)
	}
	x := &row{i: i}
	r.have[i] = r.recent.PushFront(x)
	if r.recent.Len() > r.most {
		last := r.recent.Back()
		delete(r.have, r.recent.Remove(last).(*row).i)
	}
	return x
}

// compact returns how many rows of n values one problem can keep in its own part of the memory (r.apart).
func (r *kernelRows) compact(n int) int { return int(r.apart / (8 * int64(max(n, 1)))) }

// has says whether row i is in memory.
func (r *kernelRows) has(i int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.have[i] != nil
}

// fetch evaluates several rows in parallel, so that later calls of get need not evaluate them.
func (r *kernelRows) fetch(ctx context.Context, which []int) error {
	return parallel(ctx, len(which), r.workers, func() func(int) error {
		return func(n int) error {
			_, err := r.get(which[n])
			return err
		}
	})
}
