package query

import (
	"context"
	"strings"

	"fstore/index"
	"fstore/store"
)

// Heads are what all samples are beside their trees, as numbers: up to 16 bytes a sample. What counts
// by label or by document needs them for every question, so that a store reads them once.
type Heads struct {
	Words []uint32 // of each sample, see index.Tree.Words
	// Document is the document of each sample, from 1 as they come, 0 for none; nil where the store knows
	// none. Documents is how many there are.
	Document  []uint32
	Documents int
	// Sentence is the sentence of each sample, ascending from 1: the candidates of one are one. It is nil
	// where each sample is a sentence.
	Sentence []uint32
	// Label is the place in Labels of what each sample has: its labels, joined by commas; nil where no
	// sample has any.
	Label  []uint32
	Labels []string
}

// HeadsOf returns the heads of the samples of a store. They must not be changed.
func HeadsOf(ctx context.Context, s *store.Store, progress index.Progress) (*Heads, error) {
	h, err := s.Once("heads", func() (any, error) { return readHeads(ctx, s, progress) })
	if err != nil {
		return nil, err
	}
	return h.(*Heads), nil
}

func readHeads(ctx context.Context, s *store.Store, progress index.Progress) (*Heads, error) {
	m := s.Meta()
	h := &Heads{Words: make([]uint32, m.Samples)}
	if m.Documents > 0 {
		h.Document = make([]uint32, m.Samples)
	}
	if m.Sentences != uint64(m.Samples) {
		h.Sentence = make([]uint32, m.Samples)
	}
	if m.Labels > 0 {
		h.Label = make([]uint32, m.Samples)
	}
	r := headReader{h: h, documents: map[string]uint32{"": 0}, labels: map[string]uint32{}}
	const step = 1 << 10
	progress.Step("measure", "samples", int64(m.Samples))
	err := s.SampleWords(0, m.Samples, func(id uint32, t *index.Tree, words int) error {
		if (id+1)%step == 0 {
			progress.Add(step)
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		r.add(id, t, words)
		return nil
	})
	if err != nil {
		return nil, err
	}
	h.Documents = len(r.documents) - 1
	return h, nil
}

// headReader numbers what samples have, in their order.
type headReader struct {
	h                 *Heads
	documents, labels map[string]uint32
	sentence          uint32 // of the sample before; 0 is none yet
	group, document   string // of the sample before
	number            uint32 // of that document
}

func (r *headReader) add(id uint32, t *index.Tree, words int) {
	h := r.h
	h.Words[id] = uint32(words)
	if r.sentence == 0 || !t.SameSentence(r.group, r.document) {
		r.sentence++
	}
	if h.Sentence != nil {
		h.Sentence[id] = r.sentence
	}
	if t.Group != r.group {
		r.group = strings.Clone(t.Group)
	}
	if t.Document != r.document {
		r.document = strings.Clone(t.Document)
		r.number = numberOf(r.documents, r.document)
	}
	if h.Document != nil {
		h.Document[id] = r.number
	}
	if h.Label != nil {
		n, ok := r.labels[t.Label]
		if !ok {
			n = numberOf(r.labels, strings.Clone(t.Label))
			h.Labels = append(h.Labels, strings.Clone(t.Label))
		}
		h.Label[id] = n
	}
}

// numberOf returns the number of a name, a new one the next.
func numberOf(numbers map[string]uint32, name string) uint32 {
	n, ok := numbers[name]
	if !ok {
		n = uint32(len(numbers))
		numbers[name] = n
	}
	return n
}
