package predict

import (
	"cmp"
	"context"
	"io"
	"sync"

	"fstore/index"
)

// Work does something for items, of which the first has the number from among those at hand. What
// fails of an item is noted by item, and what fails of all is returned.
type Work[T any] func(ctx context.Context, from int, items []T, failed []error) error

// Batches reads items and does work for each, several at a time, and then calls done for each, in
// order. What work gets is valid until done returns.
type Batches[T any] struct {
	// Flush hands on what done emitted: it is called where the input has nothing waiting. nil is
	// nothing to do.
	Flush func() error

	ctx    context.Context
	cancel context.CancelFunc
	works  []Work[T]
	done   func(i int, x *T) error
	items  []T   // at hand
	n      int   // of them, read
	ready  int   // of them, done
	err    error // what ended the work
}

// NewBatches returns batches of at most size items for so many workers; 0 are one a processor. Start
// makes the work of one goroutine.
func NewBatches[T any](ctx context.Context, size, workers int, start func() Work[T], done func(i int, x *T) error) *Batches[T] {
	b := &Batches[T]{works: make([]Work[T], index.Workers(workers)), done: done, items: make([]T, size)}
	b.ctx, b.cancel = context.WithCancel(ctx)
	for w := range b.works {
		b.works[w] = start()
	}
	return b
}

// Context is to be the InputOptions.Context of what is read: it ends when nothing can be emitted, and
// nobody needs more input.
func (b *Batches[T]) Context() context.Context { return b.ctx }

// Idle is the InputOptions.OnIdle of what is read: it does the work for the items that are there. It may
// be called while the next one is read.
func (b *Batches[T]) Idle() {
	if b.flush() == nil && b.Flush != nil {
		b.err = b.Flush()
	}
	if b.err != nil {
		b.cancel()
	}
}

// Run reads items to the end of a source, io.EOF, once. next reads one and returns its load; a batch
// ends at the load full. What precedes an error of next is done. release is called after each batch.
func (b *Batches[T]) Run(full int, next func(*T) (load int, err error), release func()) error {
	defer b.cancel()
	for {
		var end error
		for load := 0; b.n < len(b.items) && load < full; b.n++ {
			var more int
			if more, end = next(&b.items[b.n]); end != nil {
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

// flush does what there is to do for the items that were read. After an error it does nothing,
// and returns the error again.
func (b *Batches[T]) flush() error {
	if b.err == nil && b.ready < b.n {
		from := b.ready
		b.ready = b.n
		b.err = b.work(from)
	}
	return b.err
}

// work does the work for the items read from this one on.
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
