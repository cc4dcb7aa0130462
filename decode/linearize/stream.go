package linearize

import (
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"fstore/decode/format"
	"fstore/decode/read"
	"fstore/decode/vector"
	"fstore/index"
)

// OnError says what happens when a sample is bad.
type OnError string

const (
	Stop  OnError = "stop"  // the run ends with the sample's error
	Skip  OnError = "skip"  // the sample gets no row
	Empty OnError = "empty" // the sample gets an empty row, so that rows and inputs still match
)

// Stream linearizes samples and writes their vectors in input order. It flushes only when no more input is
// waiting, because some formats write extra bytes at each flush. Memory is limited to a few batches.
type Stream struct {
	l      *Linearizer
	w      vector.Writer
	o      StreamOptions
	ctx    context.Context
	cancel context.CancelCauseFunc

	free, work, order chan *batch
	cur               *batch
	waiting           bool // samples were read since the last Idle

	sums       sums // only the goroutine of write uses this field and the next three
	line       []byte
	rows       uint64
	unlabelled uint64
}

// StreamOptions say how a stream runs.
type StreamOptions struct {
	OnError OnError // "" means Stop
	Workers int     // number of workers; 0 means one for each processor
	// Bad, if not nil, is called for each bad sample that does not end the run, in order.
	Bad func(*index.InputError)
	// Wanted says which stored samples RunStored writes. If it is nil, RunStored writes all.
	Wanted func(*index.Tree) bool
	// IDs, if not nil, gets a line for each row: the name of the sample.
	IDs io.Writer
	// Lines, if not nil, gets for each row the line of the file on which the sample or its error starts. For
	// a stored sample, this is 0.
	Lines io.Writer
	// Sum is the property by which vectors are added up. The value "" means none. SumL2 scales each sum to
	// length 1.
	Sum   Sum
	SumL2 bool
}

// batch is a run of at most BatchTrees samples. It also ends when no more input is waiting.
type batch struct {
	samples [BatchTrees]sample
	n       int
	nodes   int
	idle    bool  // after this batch, no input was waiting
	err     error // the error of the worker at sample n
	done    chan struct{}
}

// sample is a tree with its vector or its error.
type sample struct {
	tree   index.Tree
	place  read.Place
	vector vector.Vector
	bad    *index.InputError // the error of the sample, which then has no vector
}

const (
	// BatchTrees is the maximum number of trees in a batch.
	BatchTrees = 64
	batchNodes = 1 << 14
)

// NewStream returns a stream that writes vectors to w. For the inputs of Run, set InputOptions.OnIdle to
// Stream.Idle, and InputOptions.Context to Stream.Context().
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

// Context returns a context that ends when vectors cannot be written, because then no more input is needed.
func (s *Stream) Context() context.Context { return s.ctx }

// Idle makes the stream write and flush the vectors of all samples read so far.
func (s *Stream) Idle() {
	if !s.waiting {
		return
	}
	s.waiting = false
	if s.cur == nil && s.take() != nil { // Run will return the reason
		return
	}
	s.cur.idle = true
	s.send()
}

func (s *Stream) send() {
	s.order <- s.cur // neither send blocks: the channels have room for all batches
	s.work <- s.cur
	s.cur = nil
}

// Run reads src to its end. Before it returns an error, it writes and flushes all earlier vectors. If an
// expansion index is damaged, it writes nothing.
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

// Without returns how many samples were left out of all sums of vectors.
func (s *Stream) Without() uint64 { return s.sums.without }

// Rows returns the number of rows written.
func (s *Stream) Rows() uint64 { return s.rows }

// Unlabelled returns how many rows have no label, or 0 if they cannot be told from rows with an unknown
// label.
func (s *Stream) Unlabelled() uint64 { return s.unlabelled }

// read fills batches. A batch gets only complete trees, because Idle can send it while a tree is read.
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

// check returns the numbers of a sample's labels, as text, and the first error about the sample.
func (s *Stream) check(t *index.Tree, place read.Place, err error) (label string, _ error) {
	label, unknown := s.l.label(t.Label)
	if unknown != nil {
		label, _ = s.l.label("")
	}
	if err != nil {
		return label, err
	}
	// A tree of a kind that the space does not read would get an empty vector, without any error.
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

// fill makes the vector of a sample. The vector of a bad sample is empty.
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

// writeSample writes the row of a sample, or adds its vector to sums. A bad sample is not added.
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

// add writes the vector of a good sample as a row. With the option Sum, it adds the vector to s.sums.
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

func (s *Stream) writeSums() error {
	if s.o.Sum == "" {
		return nil
	}
	if len(s.sums.rows) == 0 {
		return ErrNothingToSum
	}
	for _, row := range s.sums.rows {
		v := vector.Vector{Sample: row.name, ID: slices.Sorted(maps.Keys(row.values))}
		for _, id := range v.ID {
			v.Value = append(v.Value, row.values[id])
		}
		if s.o.SumL2 {
			normalizeL2(v.Value)
		}
		slices.Sort(row.labels)
		var err error
		if v.Label, err = s.l.label(strings.Join(row.labels, ",")); err != nil {
			return err
		}
		if err := s.row(&v); err != nil {
			return err
		}
	}
	return s.w.Flush()
}
