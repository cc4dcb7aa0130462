package decode

import (
	"context"
	"errors"
	"io"
	"runtime"
	"sync"

	"fstore/decode/vector"
	"fstore/index"
)

// OnError says what becomes of a bad sample.
type OnError string

const (
	Stop  OnError = "stop"  // it ends the run with its error
	Skip  OnError = "skip"  // it has no row
	Empty OnError = "empty" // it has an empty row, so that rows and inputs match
)

// Stream linearizes a stream of samples: vectors are written in input order, a
// batch of samples at a time; what is complete is flushed whenever the input has
// nothing waiting, so that the first vector leaves before the last tree arrives.
// Memory is a few batches, however slow the reader of the vectors is.
type Stream struct {
	l       *Linearizer
	w       vector.Writer
	onError OnError
	workers int
	report  func(*index.InputError)
	ids     io.Writer
	ctx     context.Context
	cancel  context.CancelCauseFunc

	free, work, order chan *batch
	cur               *batch
	rows              uint64
	bad               uint64
}

// StreamOptions are how a stream runs.
type StreamOptions struct {
	OnError OnError // "" is stop
	Workers int     // 0 is one a processor
	// Bad is told of each sample that was passed over; nil: nobody.
	Bad func(*index.InputError)
	// IDs gets the name of each row's sample, a line each; nil: nobody.
	IDs io.Writer
}

// batch is consecutive samples. It ends after batchTrees samples, at batchNodes
// nodes, or where the input has nothing more for now.
type batch struct {
	trees   []index.Tree
	vectors []vector.Vector
	empty   []bool
	n       int
	nodes   int
	err     error // of the worker, at vector n
	done    chan struct{}
}

const (
	batchTrees = 64
	batchNodes = 1 << 14
)

// NewStream returns a stream whose vectors go to w. Its Idle and Context are to be
// the InputOptions.OnIdle and Context of what Run reads.
func (l *Linearizer) NewStream(ctx context.Context, w vector.Writer, o StreamOptions) *Stream {
	s := &Stream{l: l, w: w, onError: o.OnError, workers: o.Workers, report: o.Bad, ids: o.IDs}
	s.ctx, s.cancel = context.WithCancelCause(ctx)
	if s.workers <= 0 {
		s.workers = runtime.GOMAXPROCS(0)
	}
	n := 2*s.workers + 2
	s.free, s.work, s.order = make(chan *batch, n), make(chan *batch, n), make(chan *batch, n)
	for range n {
		s.free <- &batch{
			trees: make([]index.Tree, batchTrees), vectors: make([]vector.Vector, batchTrees),
			empty: make([]bool, batchTrees), done: make(chan struct{}, 1),
		}
	}
	return s
}

// Context ends when the vectors cannot be written: nobody needs more input then.
func (s *Stream) Context() context.Context { return s.ctx }

// Idle hands over the samples read so far: the input has nothing waiting.
func (s *Stream) Idle() {
	if s.cur != nil && s.cur.n > 0 {
		s.send()
	}
}

func (s *Stream) send() {
	s.order <- s.cur // neither blocks: there are no more batches than places
	s.work <- s.cur
	s.cur = nil
}

// Run reads src to its end. What precedes an error has been written and flushed.
func (s *Stream) Run(src index.Source) error {
	defer s.cancel(nil)
	var workers, writer sync.WaitGroup
	for range s.workers {
		workers.Go(s.worker)
	}
	var writeErr error
	writer.Go(func() {
		if writeErr = s.write(); writeErr != nil {
			s.cancel(writeErr)
		}
	})
	err := s.read(src)
	if s.cur != nil && s.cur.n > 0 {
		s.send()
	}
	close(s.work)
	close(s.order)
	workers.Wait()
	writer.Wait()
	if writeErr != nil {
		return writeErr
	}
	return err
}

// Rows returns the rows written and the samples passed over.
func (s *Stream) Rows() (rows, bad uint64) { return s.rows, s.bad }

// read fills batches. A tree is read into memory of its own and then exchanged
// with that of its place, because Idle may send the batch while it is being read.
func (s *Stream) read(src index.Source) error {
	var t index.Tree
	for {
		err := src.Next(&t)
		if err == io.EOF {
			return nil
		}
		if s.cur == nil {
			if err := s.take(); err != nil {
				return err
			}
		}
		b := s.cur
		b.empty[b.n] = false
		if err == nil {
			b.vectors[b.n].Label, err = s.label(src, &t)
		}
		if err != nil {
			if err := s.refused(err); err != nil {
				return err
			}
			if s.onError != Empty {
				continue
			}
			t.Reset()
			b.empty[b.n] = true
			b.vectors[b.n].Label, _ = s.l.label("")
		}
		b.trees[b.n], t = t, b.trees[b.n]
		b.nodes += len(b.trees[b.n].Nodes) + len(b.trees[b.n].Tokens)
		b.n++
		if b.n == batchTrees || b.nodes >= batchNodes {
			s.send()
		}
	}
}

// take waits for a batch that is free.
func (s *Stream) take() error {
	select {
	case s.cur = <-s.free:
		s.cur.n, s.cur.nodes, s.cur.err = 0, 0, nil
		return nil
	case <-s.ctx.Done():
		return context.Cause(s.ctx)
	}
}

// placed is implemented by sources that know where their last sample stands.
type placed interface {
	Where() (file string, sentence int)
}

// label numbers the label of t; one that the store does not know is bad input.
func (s *Stream) label(src index.Source, t *index.Tree) (string, error) {
	label, err := s.l.label(t.Label)
	if err == nil {
		return label, nil
	}
	bad := &index.InputError{File: t.Name, Line: t.Line, Msg: err.Error()}
	if p, ok := src.(placed); ok {
		bad.File, bad.Sentence = p.Where()
	}
	return "", bad
}

// refused says what to do about a bad sample: nil to go on.
func (s *Stream) refused(err error) error {
	var bad *index.InputError
	if s.onError == Stop || s.onError == "" || !errors.As(err, &bad) || bad.Fatal {
		return err
	}
	s.bad++
	if s.report != nil {
		s.report(bad)
	}
	return nil
}

// worker makes the vectors of batches.
func (s *Stream) worker() {
	w := s.l.NewWorker()
	for b := range s.work {
		for i := range b.n {
			v := &b.vectors[i]
			if b.empty[i] {
				v.Sample, v.ID, v.Value = "", v.ID[:0], v.Value[:0]
				continue
			}
			if b.err = w.features(&b.trees[i], v); b.err != nil {
				b.n = i
				break
			}
		}
		b.done <- struct{}{}
	}
}

// write writes batches in order.
func (s *Stream) write() error {
	var names []byte
	for b := range s.order {
		<-b.done
		names = names[:0]
		for i := range b.n {
			v := &b.vectors[i]
			if err := s.w.Write(v); err != nil {
				return err
			}
			names = append(append(names, v.Sample...), '\n')
		}
		s.rows += uint64(b.n)
		if s.ids != nil {
			if _, err := s.ids.Write(names); err != nil {
				return err
			}
		}
		if b.err != nil {
			return errors.Join(s.w.Flush(), b.err)
		}
		s.free <- b
		if len(s.order) == 0 {
			if err := s.w.Flush(); err != nil {
				return err
			}
		}
	}
	return nil
}
