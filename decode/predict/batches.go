package predict

import (
	"cmp"
	"context"
	"io"
	"sync"

	"fstore/index"
)

// Work does the work for some items of a batch. The index of items[0] in the batch is `from`. An error about
// items[i] goes into failed[i]. An error about all items is returned.
type Work[T any] func(ctx context.Context, from int, items []T, failed []error) error

// Batches reads items, does the work for several items at a time, and then calls a function for each item in
// order. The results of the work are valid during that call.
type Batches[T any] struct {
	// Flush, if not nil, flushes the output of the results. It is called when no input is waiting.
	Flush func() error

	ctx    context.Context
	cancel context.CancelFunc
	works  []Work[T]
	done   func(i int, x *T) error
	items  []T   // the items of the current batch
	n      int   // number of items read
	ready  int   // number of items done
	err    error // the error that ended the work
}

// NewBatches returns batches of at most maxItems items. It calls newWork once for each worker. The batches
// call onDone for each item in order. If workers is 0, each processor gets a worker.
func NewBatches[T any](ctx context.Context, maxItems, workers int, newWork func() Work[T], onDone func(i int, x *T) error) *Batches[T] {
	b := &Batches[T]{works: make([]Work[T], index.Workers(workers)), done: onDone, items: make([]T, maxItems)}
	b.ctx, b.cancel = context.WithCancel(ctx)
	for w := range b.works {
		b.works[w] = newWork()
	}
	return b
}

// Context returns a context that ends when results cannot be written. It is used as InputOptions.Context of
// the source.
func (b *Batches[T]) Context() context.Context { return b.ctx }

// Idle does the work for the items read so far. It is used as InputOptions.OnIdle of the source, and can be
// called while the next item is read.
func (b *Batches[T]) Idle() {
	if b.flush() == nil && b.Flush != nil {
		b.err = b.Flush()
	}
	if b.err != nil {
		b.cancel()
	}
}

// Run reads items up to io.EOF. It must be called only once. A batch ends at maxItems items (see NewBatches),
// or when the loads that readItem returns add up to maxLoad. Between batches, Run calls release. The items
// before an error are still processed.
func (b *Batches[T]) Run(maxLoad int, readItem func(*T) (load int, err error), release func()) error {
	defer b.cancel()
	for {
		var end error
		for load := 0; b.n < len(b.items) && load < maxLoad; b.n++ {
			var more int
			if more, end = readItem(&b.items[b.n]); end != nil {
				break
			}
			load += more
		}
		if err := b.flush(); err != nil {
			return err
		}
		if end == io.EOF {
			return nil
		}
		if end != nil {
			return end
		}
		release()
		b.n, b.ready = 0, 0
	}
}

// flush does the work for the items that wait for it. After an error, it only returns that error again.
func (b *Batches[T]) flush() error {
	if b.err == nil && b.ready < b.n {
		from := b.ready
		b.ready = b.n
		b.err = b.work(from)
	}
	return b.err
}

// work does the work for b.items[from:b.n].
func (b *Batches[T]) work(from int) error {
	n := b.n - from
	failed, errs := make([]error, n), make([]error, len(b.works))
	var pool sync.WaitGroup
	for w, work := range b.works {
		first, end := w*n/len(b.works), (w+1)*n/len(b.works)
		pool.Go(func() { errs[w] = work(b.ctx, from+first, b.items[from+first:from+end], failed[first:end]) })
	}
	pool.Wait()
	if err := cmp.Or(append([]error{b.ctx.Err()}, errs...)...); err != nil {
		return err
	}
	for i, err := range failed {
		if err == nil {
			err = b.done(from+i, &b.items[from+i])
		}
		if err != nil {
			return err
		}
	}
	return nil
}
