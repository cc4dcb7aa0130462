package store

import (
	"errors"
	"fmt"
	"math"

	"fstore/index"
	"fstore/store/disk"
)

// SampleWriter adds samples: pass one of a build. It keeps the counts of meta and
// the bitmaps of the labels. Its memory does not grow with the samples, but with
// the labels and the names of documents.
type SampleWriter struct {
	w     *Writer
	t     *disk.Table
	enc   *sampleEncoder
	key   []byte
	count sampleCounter
	input string // see From
	err   error
}

// Samples begins to add samples after those that are there. It must be closed
// before Commit.
func (w *Writer) Samples() (*SampleWriter, error) {
	if w.loading {
		return nil, errors.New("store: Samples before SampleWriter.Close")
	}
	s := &SampleWriter{w: w, t: w.change.Table(), enc: newSampleEncoder()}
	if w.labels.m == nil {
		var err error
		if w.labels.m, err = w.store.LabelBitmaps(); err != nil {
			return nil, err
		}
	}
	err := w.store.SampleHeads(0, w.meta.Samples, func(_ uint32, t *index.Tree) error {
		s.count.add(t)
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.count.endList()
	if left := w.meta.Samples - w.meta.recorded(); left > 0 {
		w.meta.Inputs = append(w.meta.Inputs, InputSamples{Samples: left})
	}
	w.loading = true
	return s, nil
}

// From names the input that the samples added from now on are from; "" is none.
func (s *SampleWriter) From(input string) { s.input = input }

// Add writes a sample, whose ids refer to Writer.Symbols, and returns its id. All
// samples of a store have the same Kind and OneAlphabet.
func (s *SampleWriter) Add(t *index.Tree) (id uint32, err error) {
	m := s.w.meta
	id = m.Samples
	switch {
	case s.err != nil:
		return 0, s.err
	case id == math.MaxUint32:
		return 0, errors.New("store: too many samples")
	case id == 0:
		m.Kind, m.OneAlphabet = t.Kind, t.OneAlphabet
	case m.Kind != t.Kind:
		return 0, fmt.Errorf("a %s tree, and the store holds %s trees", t.Kind, m.Kind)
	case m.OneAlphabet != t.OneAlphabet:
		return 0, fmt.Errorf("trees with words and trees of one alphabet (svmtk, klp) do not mix")
	}
	s.count.add(t)
	v, err := s.enc.encode(t, s.count.list(t))
	if err == nil {
		s.key = sampleKey(s.key[:0], id)
		err = s.t.Put(s.key, v)
	}
	if err != nil {
		s.err = fmt.Errorf("sample %d: %w", id, err)
		return 0, s.err
	}
	s.record()
	m.Samples++
	m.Words += uint64(t.Words())
	m.Documents, m.Sentences, m.Lists = s.count.documents(), s.count.sentences, s.count.lists
	s.w.labels.add(t.Label, id)
	return id, nil
}

// record counts a sample of the input.
func (s *SampleWriter) record() {
	in := s.w.meta.Inputs
	if n := len(in); n == 0 || in[n-1].Name != s.input {
		in = append(in, InputSamples{Name: s.input})
		s.w.meta.Inputs = in
	}
	in[len(in)-1].Samples++
}

// Close writes what is left and makes the samples, and the symbols interned so
// far, readable through Writer.Store.
func (s *SampleWriter) Close() error {
	if s.err = s.t.Close(s.err); s.err != nil {
		return s.err
	}
	s.err = errors.New("store: SampleWriter is closed")
	if err := s.w.flushSymbols(); err != nil {
		return err
	}
	if err := s.w.change.Ingest(nil, nil); err != nil {
		return err
	}
	s.w.loading = false
	return nil
}
