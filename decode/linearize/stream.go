package linearize

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strconv"
	"sync"

	"fstore/decode/format"
	"fstore/decode/read"
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

// Stream linearizes a stream of samples and writes their vectors in input order. It flushes only where the
// input has nothing waiting, so that the first vector leaves before the last tree arrives: some formats
// write other bytes at each flush. Memory is a few batches, however slowly the vectors are taken.
type Stream struct {
	l      *Linearizer
	w      vector.Writer
	o      StreamOptions
	ctx    context.Context
	cancel context.CancelCauseFunc

	free, work, order chan *batch
	cur               *batch
	waiting           bool // samples were read since Idle

	sums       sums // these four are the writer's
	line       []byte
	rows       uint64
	unlabelled uint64
}

// StreamOptions are how a stream runs.
type StreamOptions struct {
	OnError OnError // "" is stop
	Workers int     // 0 is one a processor
	// Bad is told of each sample that was passed over, in order; nil: nobody.
	Bad func(*index.InputError)
	// Wanted says which of the stored samples RunStored writes; nil: all.
	Wanted func(*index.Tree) bool
	// IDs gets the name of each row's sample, a line each; nil: nobody.
	IDs io.Writer
	// Lines gets the line of its file on which each row's sample starts, or of the error for
	// which it has none, and 0 of stored ones, a line each; nil: nobody.
	Lines io.Writer
	// Sum adds up samples, "" does not; SumL2 scales each sum to length 1.
	Sum   Sum
	SumL2 bool
}

// batch is consecutive samples. It ends after BatchTrees samples, at batchNodes
// nodes, or where the input has nothing more for now.
type batch struct {
	samples [BatchTrees]sample
	n       int
	nodes   int
	idle    bool  // the input had nothing waiting after it
	err     error // of the worker, at sample n
	done    chan struct{}
}

// sample is a tree, and what becomes of it.
type sample struct {
	tree   index.Tree
	place  read.Place
	vector vector.Vector
	bad    *index.InputError // in the place of a vector
}

const (
	// BatchTrees is the most trees that a worker takes at once.
	BatchTrees = 64
	batchNodes = 1 << 14
)

// NewStream returns a stream whose vectors go to w. Its Idle and Context are to be
// the InputOptions.OnIdle and Context of what Run reads.
func (l *Linearizer) NewStream(ctx context.Context, w vector.Writer, o StreamOptions) *Stream {
	o.OnError, o.Workers = cmp.Or(o.OnError, Stop), index.Workers(o.Workers)
	if o.IDs == nil {
		o.IDs = io.Discard
	}
	if o.Lines == nil {
		o.Lines = io.Discard
	}
	s := &Stream{l: l, w: w, o: o, sums: sums{of: map[string]*sumRow{}}}
	s.ctx, s.cancel = context.WithCancelCause(ctx)
	n := 2*o.Workers + 2
	s.free, s.work, s.order = make(chan *batch, n), make(chan *batch, n), make(chan *batch, n)
	for range n {
		s.free <- &batch{done: make(chan struct{}, 1)}
	}
	return s
}

// Context ends when the vectors cannot be written: nobody needs more input then.
func (s *Stream) Context() context.Context { return s.ctx }

// Idle has the vectors of the samples read so far written and flushed: the input has
// nothing waiting.
func (s *Stream) Idle() {
	if !s.waiting {
		return
	}
	s.waiting = false
	if s.cur == nil && s.take() != nil { // the end of the run says why
		return
	}
	s.cur.idle = true
	s.send()
}

func (s *Stream) send() {
	s.order <- s.cur // neither blocks: there are no more batches than places
	s.work <- s.cur
	s.cur = nil
}

// Run reads src to its end. What precedes an error has been written and flushed. Nothing is
// written where an expansion index is damaged (Linearizer.Verify).
func (s *Stream) Run(src index.Source) error {
	defer s.cancel(nil)
	var workers, writer sync.WaitGroup
	for range s.o.Workers {
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
	if err = cmp.Or(writeErr, err); err != nil {
		return err
	}
	return s.writeSums()
}

// Without returns how many samples no sum has.
func (s *Stream) Without() uint64 { return s.sums.without }

// Rows returns how many rows were written.
func (s *Stream) Rows() uint64 { return s.rows }

// Unlabelled returns how many of the rows have the number of no label, LabelNumbers.None. It is 0 where
// labels that the store does not know have the same number.
func (s *Stream) Unlabelled() uint64 { return s.unlabelled }

// read fills batches. A tree is read into memory of its own and then exchanged
// with that of its place, because Idle may send the batch while it is being read.
func (s *Stream) read(src index.Source) error {
	index.Tell(src, s.l.Spaces()...)
	index.KnowLabels(src, s.l.Numbering.Names)
	var t index.Tree
	for {
		err := src.Next(&t)
		if err == io.EOF {
			return nil
		}
		place := read.PlaceOf(src, &t)
		label, err := s.check(&t, place, err)
		bad := format.BadSample(err)
		if err != nil && (bad == nil || s.o.OnError == Stop) {
			return err
		}
		if s.cur == nil {
			if err := s.take(); err != nil {
				return err
			}
		}
		s.waiting = true
		b := s.cur
		x := &b.samples[b.n]
		x.place, x.bad, x.vector.Label, x.vector.Line = place, bad, label, t.Line
		x.tree, t = t, x.tree
		b.nodes += len(x.tree.Nodes) + len(x.tree.Tokens)
		b.n++
		if b.n == BatchTrees || b.nodes >= batchNodes {
			s.send()
		}
	}
}

// check returns the number of a sample's label, as far as one is known, and what is wrong with the
// sample: err, or that it is of another kind, or that the store does not know the label.
func (s *Stream) check(t *index.Tree, place read.Place, err error) (label string, _ error) {
	label, unknown := s.l.label(t.Label)
	if unknown != nil {
		label, _ = s.l.label("")
	}
	if err != nil {
		return label, err
	}
	// The vector of another kind of tree would be empty, as if it had no features.
	if wrong := cmp.Or(s.l.Check(t), unknown); wrong != nil {
		return label, read.BadTree(place, t.Line, wrong)
	}
	return label, nil
}

func (s *Stream) take() error {
	select {
	case s.cur = <-s.free:
		s.cur.n, s.cur.nodes, s.cur.idle, s.cur.err = 0, 0, false, nil
		return nil
	case <-s.ctx.Done():
		return context.Cause(s.ctx)
	}
}

func (s *Stream) worker() {
	w := s.l.NewWorker()
	for b := range s.work {
		for i := range b.n {
			if b.err = s.fill(w, &b.samples[i]); b.err != nil {
				b.n = i
				break
			}
		}
		b.done <- struct{}{}
	}
}

// fill makes the vector of a sample; that of a bad one is empty.
func (s *Stream) fill(w *Worker, x *sample) error {
	v := &x.vector
	if x.bad != nil {
		v.Sample, v.ID, v.Value = x.tree.Name, v.ID[:0], v.Value[:0]
		return nil
	}
	err := w.Features(&x.tree, v)
	if err == nil {
		return nil
	}
	if _, large := errors.AsType[*TreeError](err); !large {
		return err
	}
	x.bad = read.BadTree(x.place, x.tree.Line, err)
	v.ID, v.Value = v.ID[:0], v.Value[:0]
	if s.o.OnError == Stop {
		return x.bad
	}
	return nil
}

func (s *Stream) write() error {
	if err := s.l.Verify(); err != nil {
		return err
	}
	for b := range s.order {
		<-b.done
		for i := range b.n {
			if err := s.writeSample(&b.samples[i]); err != nil {
				return err
			}
		}
		if b.err != nil {
			return errors.Join(s.w.Flush(), b.err)
		}
		if b.idle {
			if err := s.w.Flush(); err != nil {
				return err
			}
		}
		s.free <- b
	}
	return s.w.Flush()
}

// writeSample writes the row of a sample, or adds it to sums. A bad sample is in no sum.
func (s *Stream) writeSample(x *sample) error {
	if x.bad == nil {
		return s.add(&x.tree, &x.vector)
	}
	if s.o.Bad != nil {
		s.o.Bad(x.bad)
	}
	if s.o.OnError != Empty || s.o.Sum != "" {
		return nil
	}
	return s.row(&x.vector)
}

// add writes the row of a sample, or adds it to sums.
func (s *Stream) add(t *index.Tree, v *vector.Vector) error {
	if s.o.Sum == "" {
		return s.row(v)
	}
	s.sums.add(s.o.Sum, t, v)
	return nil
}

func (s *Stream) row(v *vector.Vector) error {
	if err := s.w.Write(v); err != nil {
		return err
	}
	s.rows++
	if none := s.l.Numbering.None; v.Label == none && s.l.O.UnknownLabel != none {
		s.unlabelled++
	}
	s.line = append(append(s.line[:0], v.Sample...), '\n')
	_, err := s.o.IDs.Write(s.line)
	s.line = append(strconv.AppendInt(s.line[:0], int64(v.Line), 10), '\n')
	_, lineErr := s.o.Lines.Write(s.line)
	return cmp.Or(err, lineErr)
}
