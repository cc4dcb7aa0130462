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

// OnError says what becomes of a bad sample.
type OnError string

const (
	Stop  OnError = "stop"  // it ends the run with its error
	Skip  OnError = "skip"  // it has no row
	Empty OnError = "empty" // it has an empty row, so that rows and inputs match
)

// Stream linearizes a stream of samples: vectors are written in input order, a batch of
// samples at a time. What is complete is flushed where the input has nothing waiting, so
// that the first vector leaves before the last tree arrives, and nowhere else: formats may
// write other bytes for it. Memory is a few batches, however slow the reader of the vectors
// is.
type Stream struct {
	l      *Linearizer
	w      vector.Writer
	o      StreamOptions
	ctx    context.Context
	cancel context.CancelCauseFunc

	free, work, order chan *batch
	cur               *batch
	sums              *sums  // nil: none
	waiting           bool   // samples were read since Idle
	rows              uint64 // these three are the writer's
	bad               uint64
	unlabelled        uint64
}

// StreamOptions are how a stream runs.
type StreamOptions struct {
	OnError OnError // "" is stop
	Workers int     // 0 is one a processor
	// Bad is told of each sample that was passed over, in order; nil: nobody.
	Bad func(*index.InputError)
	// IDs gets the name of each row's sample, a line each; nil: nobody.
	IDs io.Writer
	// Lines gets the line of its file on which each row's sample starts, or of the error for
	// which it has none, and 0 of stored ones, a line each; nil: nobody.
	Lines io.Writer
	// Sum adds up samples, "" does not; SumL2 scales each sum to length 1.
	Sum   Sum
	SumL2 bool
}

// batch is consecutive samples. It ends after batchTrees samples, at batchNodes
// nodes, or where the input has nothing more for now.
type batch struct {
	trees   []index.Tree
	vectors []vector.Vector
	places  []read.Place        // of trees
	bad     []*index.InputError // in the place of a vector
	n       int
	nodes   int
	idle    bool  // the input had nothing waiting after it
	err     error // of the worker, at vector n
	done    chan struct{}
}

const (
	// BatchTrees is the most trees that a worker takes at once.
	BatchTrees = 64
	batchNodes = 1 << 14
)

// NewStream returns a stream whose vectors go to w. Its Idle and Context are to be
// the InputOptions.OnIdle and Context of what Run reads.
func (l *Linearizer) NewStream(ctx context.Context, w vector.Writer, o StreamOptions) *Stream {
	s := &Stream{l: l, w: w, o: o}
	if o.Sum != "" {
		s.sums = &sums{by: o.Sum, of: map[string]*sumRow{}}
	}
	s.ctx, s.cancel = context.WithCancelCause(ctx)
	s.o.Workers = index.Workers(o.Workers)
	n := 2*s.o.Workers + 2
	s.free, s.work, s.order = make(chan *batch, n), make(chan *batch, n), make(chan *batch, n)
	for range n {
		s.free <- &batch{
			trees: make([]index.Tree, BatchTrees), vectors: make([]vector.Vector, BatchTrees),
			places: make([]read.Place, BatchTrees), bad: make([]*index.InputError, BatchTrees),
			done: make(chan struct{}, 1),
		}
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
	if err = cmp.Or(writeErr, err); err == nil && s.sums != nil {
		err = s.writeSums()
	}
	return err
}

// Without returns how many samples no sum has.
func (s *Stream) Without() uint64 {
	if s.sums == nil {
		return 0
	}
	return s.sums.without
}

// Rows returns the rows written and the samples passed over.
func (s *Stream) Rows() (rows, bad uint64) { return s.rows, s.bad }

// Unlabelled returns how many of the rows have the number of no label, LabelNumbers.None. It is 0 where
// labels that the store does not know have the same number.
func (s *Stream) Unlabelled() uint64 { return s.unlabelled }

// wrote counts a row.
func (s *Stream) wrote(v *vector.Vector) {
	s.rows++
	if none := s.l.Numbering.None; v.Label == none && s.l.O.UnknownLabel != none {
		s.unlabelled++
	}
}

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
		if err == nil {
			// The vector of another kind of tree would be empty, as if it had no features.
			m := s.l.S.Meta()
			if mixed := index.CheckSame(m.Kind, m.OneAlphabet, &t); mixed != nil {
				err = read.BadTree(read.PlaceOf(src, &t), t.Line, mixed)
			}
		}
		if s.cur == nil {
			if err := s.take(); err != nil {
				return err
			}
		}
		s.waiting = true
		b := s.cur
		b.bad[b.n] = nil
		if err == nil {
			b.places[b.n] = read.PlaceOf(src, &t)
			b.vectors[b.n].Label, err = s.l.label(t.Label)
			if err != nil { // a label that the store does not know is bad input
				err = read.BadTree(b.places[b.n], t.Line, err)
			}
		}
		if err != nil {
			bad := format.BadSample(err)
			if s.stops() || bad == nil {
				return err
			}
			b.bad[b.n] = bad
			b.vectors[b.n].Label = s.refusedLabel(&t)
		}
		b.vectors[b.n].Line = t.Line
		b.trees[b.n], t = t, b.trees[b.n]
		b.nodes += len(b.trees[b.n].Nodes) + len(b.trees[b.n].Tokens)
		b.n++
		if b.n == BatchTrees || b.nodes >= batchNodes {
			s.send()
		}
	}
}

// refusedLabel numbers the label of a refused sample, as far as one is known.
func (s *Stream) refusedLabel(t *index.Tree) string {
	label, err := s.l.label(t.Label)
	if err != nil {
		label, _ = s.l.label("")
	}
	return label
}

// take waits for a batch that is free.
func (s *Stream) take() error {
	select {
	case s.cur = <-s.free:
		s.cur.n, s.cur.nodes, s.cur.idle, s.cur.err = 0, 0, false, nil
		return nil
	case <-s.ctx.Done():
		return context.Cause(s.ctx)
	}
}

// stops says whether a bad sample ends the run.
func (s *Stream) stops() bool { return s.o.OnError == Stop || s.o.OnError == "" }

// worker makes the vectors of batches.
func (s *Stream) worker() {
	w := s.l.NewWorker()
	for b := range s.work {
		for i := range b.n {
			v := &b.vectors[i]
			v.Sample, v.ID, v.Value = b.trees[i].Name, v.ID[:0], v.Value[:0]
			if b.bad[i] != nil {
				continue
			}
			err := w.Features(&b.trees[i], v)
			if err == nil {
				continue
			}
			if large := (*TreeError)(nil); errors.As(err, &large) {
				b.bad[i] = read.BadTree(b.places[i], b.trees[i].Line, err)
				if !s.stops() {
					continue
				}
				err = b.bad[i]
			}
			b.err, b.n = err, i
			break
		}
		b.done <- struct{}{}
	}
}

// row prepares the row of a bad sample, and says whether it has one.
func (s *Stream) row(v *vector.Vector, bad *index.InputError) bool {
	s.bad++
	if s.o.Bad != nil {
		s.o.Bad(bad)
	}
	if s.o.OnError != Empty {
		return false
	}
	v.ID, v.Value = v.ID[:0], v.Value[:0]
	return true
}

// write writes batches in order.
func (s *Stream) write() error {
	if err := s.l.Verify(); err != nil {
		return err
	}
	var names, lines []byte
	for b := range s.order {
		<-b.done
		names, lines = names[:0], lines[:0]
		for i := range b.n {
			v := &b.vectors[i]
			if b.bad[i] != nil && !s.row(v, b.bad[i]) {
				continue
			}
			if s.sums != nil {
				if b.bad[i] == nil {
					s.sums.add(&b.trees[i], v)
				}
				continue
			}
			if err := s.w.Write(v); err != nil {
				return err
			}
			names = append(append(names, v.Sample...), '\n')
			lines = append(strconv.AppendInt(lines, int64(v.Line), 10), '\n')
			s.wrote(v)
		}
		if err := errors.Join(writeTo(s.o.IDs, names), writeTo(s.o.Lines, lines)); err != nil {
			return err
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

// writeTo writes to somebody, or to nobody.
func writeTo(w io.Writer, b []byte) error {
	if w == nil {
		return nil
	}
	_, err := w.Write(b)
	return err
}

// writeSums writes a row a sum.
func (s *Stream) writeSums() error {
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
		if err := s.w.Write(&v); err != nil {
			return err
		}
		s.wrote(&v)
		if err := errors.Join(writeTo(s.o.IDs, []byte(row.name+"\n")), writeTo(s.o.Lines, unknownLine)); err != nil {
			return err
		}
	}
	return s.w.Flush()
}
