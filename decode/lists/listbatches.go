package lists

import (
	"cmp"
	"context"
	"io"
	"sync"

	"fstore/decode/read"
	"fstore/index"
)

// listWork does something for lists, of which the first has the number from among those at
// hand; what fails of a list is noted by list, and what fails of all is returned.
type listWork func(ctx context.Context, from int, lists []read.List, failed []error) error

// listBatches reads lists and does work for each, several at a time, and then calls done for
// each, in order. What work gets is valid until done returns.
type listBatches struct {
	ctx   context.Context
	works []listWork
	done  func(i int, l *read.List) error
	lists []read.List // at hand
	n     int         // of them, read
	ready int         // of them, done
	err   error       // what ended the work
}

// A batch ends after batchLists lists, or at listNodes nodes of their trees.
const (
	batchLists = 256
	listNodes  = 1 << 18
)

// newListBatches returns batches for so many workers; 0 are one a processor. Start makes the
// work of one goroutine.
func newListBatches(ctx context.Context, workers int, start func() listWork, done func(i int, l *read.List) error) *listBatches {
	workers = index.Workers(workers)
	b := &listBatches{ctx: ctx, works: make([]listWork, workers), done: done, lists: make([]read.List, batchLists)}
	for w := range b.works {
		b.works[w] = start()
	}
	return b
}

// run reads src to its end. What precedes an error of src is done.
func (b *listBatches) run(src read.ListSource) error {
	for {
		end := b.read(src)
		if err := b.flush(); err != nil {
			return err
		}
		if end == io.EOF {
			return nil
		}
		if end != nil {
			return end
		}
		src.Release()
		b.n, b.ready = 0, 0
	}
}

// read reads a batch, or as much as precedes an error. While it reads, flush may be called.
func (b *listBatches) read(src read.ListSource) error {
	for nodes := 0; b.n < len(b.lists) && nodes < listNodes; b.n++ {
		if err := src.NextList(&b.lists[b.n]); err != nil {
			return err
		}
		nodes += b.lists[b.n].Nodes()
	}
	return nil
}

// flush does what there is to do for the lists that were read. After an error it does nothing,
// and returns the error again.
func (b *listBatches) flush() error {
	if b.err == nil && b.ready < b.n {
		from := b.ready
		b.ready = b.n
		b.err = b.work(from)
	}
	return b.err
}

// work does the work for the lists read from this one on.
func (b *listBatches) work(from int) error {
	n := b.n - from
	failed, errs := make([]error, n), make([]error, len(b.works))
	var pool sync.WaitGroup
	for w, work := range b.works {
		first, end := w*n/len(b.works), (w+1)*n/len(b.works)
		pool.Go(func() { errs[w] = work(b.ctx, from+first, b.lists[from+first:from+end], failed[first:end]) })
	}
	pool.Wait()
	if err := cmp.Or(append([]error{b.ctx.Err()}, errs...)...); err != nil {
		return err
	}
	for i, err := range failed {
		if err == nil {
			err = b.done(from+i, &b.lists[from+i])
		}
		if err != nil {
			return err
		}
	}
	return nil
}
