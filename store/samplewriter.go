package store

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"fstore/index"
	"fstore/store/disk"
)

// SampleWriter adds samples. It also updates the counts in meta and the bitmaps of the labels. Its memory
// grows only with the labels and the names of documents.
type SampleWriter struct {
	w     *Writer
	t     *disk.Table
	enc   *sampleEncoder
	key   []byte
	count sampleCounter
	input string // input of the next samples, see From
	err   error
}

// Samples begins to add samples after the existing ones. The SampleWriter must be closed before Commit.
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
	left := w.meta.Samples
	for _, in := range w.meta.Inputs {
		left -= in.Samples
	}
	if left > 0 {
		w.meta.Inputs = append(w.meta.Inputs, InputSamples{Samples: left})
	}
	w.loading = true
	return s, nil
}

// From names the input of all samples that are added after this call; "" means no input.
func (s *SampleWriter) From(input string) { s.input = input }

// Add writes a sample and returns its id. Symbol ids in the tree refer to Writer.Symbols. Add returns an
// error if the tree has another Kind or OneAlphabet than the stored trees.
func (s *SampleWriter) Add(t *index.Tree) (id uint32, err error) {
	s.enc.tree = index.AppendTree(s.enc.tree[:0], t)
	return s.add(t, s.enc.tree, t.Words())
}

// AddBytes is like Add, but takes the tree as the bytes that index.AppendTree makes. All other fields, and
// the corrections, come from t.
func (s *SampleWriter) AddBytes(t *index.Tree, tree []byte) (id uint32, err error) {
	words, err := index.CountWords(tree, s.w.Symbols())
	if err != nil {
		return 0, fmt.Errorf("sample %q: %w", t.Name, err)
	}
	return s.add(t, tree, words)
}

func (s *SampleWriter) add(t *index.Tree, tree []byte, words int) (id uint32, err error) {
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
	v, err := s.enc.encode(t, s.count.list(t), tree)
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
	m.Words += uint64(words)
	m.Documents, m.Sentences, m.Lists = s.count.documents(), s.count.sentences, s.count.lists
	s.w.labels.add(t.Label, id)
	return id, nil
}

func (s *SampleWriter) record() {
	in := s.w.meta.Inputs
	if n := len(in); n == 0 || in[n-1].Name != s.input {
		in = append(in, InputSamples{Name: s.input})
		s.w.meta.Inputs = in
	}
	in[len(in)-1].Samples++
}

// Close writes all pending data. After Close, Writer.Store can read the new samples and symbols.
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

// sampleCounter counts documents, sentences and K-best lists. The candidates of a sentence have the same
// group and follow each other.
type sampleCounter struct {
	docs      map[string]struct{}
	doc       string // document and group of the last sample
	group     string
	sentences uint64
	lists     Lists
	name      string // stored name of the last sample's list, see list
}

func (c *sampleCounter) add(t *index.Tree) {
	c.lists.add(t)
	if !t.SameSentence(c.group, c.doc) {
		c.sentences++
		c.name = ""
	}
	if t.Document != c.doc {
		c.doc = strings.Clone(t.Document)
		if c.docs == nil {
			c.docs = map[string]struct{}{}
		}
		if c.doc != "" {
			c.docs[c.doc] = struct{}{}
		}
	}
	if t.Group != c.group {
		c.group = strings.Clone(t.Group)
	}
}

// endList ends the current list, because samples of another run never belong to it.
func (c *sampleCounter) endList() { c.group = "" }

// list returns the stored name of the last sample's list, or "" if the sample is in no list. The name is the
// list's position among the sentences of the store.
func (c *sampleCounter) list(t *index.Tree) string {
	if t.Group == "" {
		return ""
	}
	if c.name == "" {
		c.name = strconv.FormatUint(c.sentences, 10)
	}
	return c.name
}

func (c *sampleCounter) documents() uint32 { return uint32(len(c.docs)) }
