package builder

import (
	"context"
	"io"
	"slices"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/store"
)

// read is the first pass: it writes every sample into the store and counts the sample for each space.
func (b *builder) read() error {
	src, err := b.O.Source(b.Syms)
	if err != nil {
		return err
	}
	index.Tell(src, b.willIndex()...)
	if b.O.Mode == store.Append {
		labels, err := b.W.Store().Labels()
		if err != nil {
			return err
		}
		index.KnowLabels(src, labels)
	}
	sw, err := b.W.Samples()
	if err != nil {
		return err
	}
	defer sw.Close()
	if err := newReading(b, src, sw).run(); err != nil {
		return err
	}
	return sw.Close()
}

// reading is the first pass, in two halves that can be two goroutines: fill reads samples, and store writes
// them.
type reading struct {
	b    *builder
	src  index.Source
	from index.Placed // nil if src does not know where a sample is from
	sw   *store.SampleWriter

	new    bool // the next sample is the first of the store
	kind   index.Kind
	one    bool   // all trees are of one alphabet
	id     uint32 // id of the next sample
	late   bool   // the second half counts first steps, not the first half: see countsLate
	report func()
}

// readSample is a sample that the first half of a reading passes to the second half.
type readSample struct {
	t     index.Tree
	input string // input of the sample, if known
	known bool
}

const (
	readBatch = 64 // samples that one half passes to the other at a time
	readAhead = 3  // batches that may wait between the halves
)

func newReading(b *builder, src index.Source, sw *store.SampleWriter) *reading {
	r := &reading{b: b, src: src, sw: sw, id: b.Meta.Samples, kind: b.Meta.Kind, one: b.Meta.OneAlphabet}
	r.new = r.id == 0 && b.O.Mode != store.Append
	r.from, _ = src.(index.Placed)
	r.late = countsLate(b.spaces)
	r.report = b.readProgress(src)
	return r
}

func (r *reading) run() error {
	if a, ok := r.src.(index.Ahead); ok && a.Ahead() && r.b.O.Workers > 1 {
		return r.ahead()
	}
	batch := make([]readSample, 1)
	for {
		batch, end := r.fill(batch)
		if err := r.store(batch); err != nil {
			return err
		}
		if end == io.EOF {
			return nil
		}
		if end != nil {
			return end
		}
	}
}

// ahead is like the method `run`, but each half has its own goroutine.
func (r *reading) ahead() error {
	full, free := make(chan []readSample, readAhead), make(chan []readSample, readAhead)
	for range readAhead {
		free <- make([]readSample, readBatch)
	}
	ctx, cancel := context.WithCancel(r.b.Ctx)
	defer cancel()
	var end error // why reading ended; an error of store takes its place, as it is about an earlier sample
	go func() {
		defer close(full)
		for end == nil && ctx.Err() == nil {
			var batch []readSample
			batch, end = r.fill(<-free)
			full <- batch
		}
	}()
	var err error
	for batch := range full {
		if err == nil {
			if err = r.store(batch); err != nil {
				cancel()
			}
		}
		free <- batch[:readBatch]
	}
	switch {
	case err != nil:
		return err
	case end == nil:
		return r.b.Ctx.Err()
	case end == io.EOF:
		return nil
	}
	return end
}

// fill reads samples into a batch and returns the filled part. It fills the whole batch, or returns an error,
// which is io.EOF at the end of the samples.
func (r *reading) fill(batch []readSample) ([]readSample, error) {
	b := r.b
	for i := range batch {
		x := &batch[i]
		t := &x.t
		if err := r.src.Next(t); err != nil {
			return batch[:i], err
		}
		if r.new {
			if err := b.beginWith(t, r.src); err != nil {
				return batch[:i], err
			}
			r.new, r.kind, r.one, r.late = false, t.Kind, t.OneAlphabet, countsLate(b.spaces)
		}
		if err := index.CheckSame(r.kind, r.one, t); err != nil {
			return batch[:i], index.BadSample(r.src, t, err)
		}
		for _, s := range b.spaces {
			index.Prepare(s.Space, t, b.Syms)
		}
		if !r.late {
			grow.CountSample(b.spaces, b.Syms, b.O.Memory, r.id, t)
		}
		r.id++
		if x.known = r.from != nil && t.Gold != index.GoldAdded; x.known { // an added gold tree has no place in the input
			x.input, _ = r.from.Where()
		}
	}
	return batch, nil
}

// store does the second half of the work on a batch: it writes and counts the samples that fill has read.
func (r *reading) store(batch []readSample) error {
	b := r.b
	for i := range batch {
		x := &batch[i]
		if b.added&0xFF == 0 {
			if err := b.Ctx.Err(); err != nil {
				return err
			}
			r.report()
		}
		if x.known {
			r.sw.From(x.input)
		}
		id, err := r.sw.Add(&x.t)
		if err != nil {
			return err
		}
		if r.late {
			grow.CountSample(b.spaces, b.Syms, b.O.Memory, id, &x.t)
		}
		b.added++
	}
	return nil
}

// countsLate says whether all spaces can count samples while another goroutine adds symbols.
func countsLate(spaces []*grow.Tallied) bool {
	return !slices.ContainsFunc(spaces, func(s *grow.Tallied) bool {
		_, ok := s.Space.(index.OfProductions)
		return !ok
	})
}

// beginWith begins a new store for trees of the same kind as t, the first tree of src.
func (b *builder) beginWith(t *index.Tree, src index.Source) error {
	b.Meta.Kind, b.Meta.OneAlphabet = t.Kind, t.OneAlphabet
	chosen, err := b.O.Spaces.ForNew(t.Kind)
	if err != nil {
		return err
	}
	b.begin(chosen)
	if len(b.O.Spaces.Spaces) == 0 { // the default spaces, which src does not know
		index.Tell(src, b.willIndex()...)
	}
	return nil
}

// willIndex returns the spaces that will be indexed. The list is empty if they depend on the first sample.
func (b *builder) willIndex() (all []index.Space) {
	for _, s := range b.spaces {
		all = append(all, s.Space)
	}
	if len(b.spaces) == 0 {
		for _, r := range b.O.Spaces.Spaces {
			all = append(all, r.Space)
		}
	}
	return all
}

// measured is implemented by sources that know how many of their bytes are read.
type measured interface {
	Progress() (done, total int64)
}

// readProgress begins the stage "read" of the progress. Each call of the result reports what was read since
// the last call.
func (b *builder) readProgress(src index.Source) (report func()) {
	m, ok := src.(measured)
	if !ok {
		b.O.Progress.Step("read", "samples", 0)
		last := b.added
		return func() {
			b.O.Progress.Add(int64(b.added - last))
			last = b.added
		}
	}
	last, total := m.Progress()
	b.O.Progress.Step("read", "bytes", total)
	return func() {
		done, _ := m.Progress()
		b.O.Progress.Add(done - last)
		last = done
	}
}
