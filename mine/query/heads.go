package query

import (
	"context"
	"strings"

	"fstore/index"
	"fstore/store"
)

// Heads has the properties of all samples as numbers, without the trees. It takes up to 16 bytes per sample.
type Heads struct {
	Words []uint32 // words of each sample, see index.Tree.Words
	// Document has the number of each sample's document, from 1, or 0 if the sample has none. The slice is
	// nil if the store has no documents. Documents is the number of documents.
	Document  []uint32
	Documents int
	// Sentence has the number of each sample's sentence, from 1. All candidates of one K-best list are one
	// sentence. The slice is nil if each sample is a sentence.
	Sentence []uint32
	// Labels[Label[i]] has the labels of sample i, joined by commas. Label is nil if no sample has a label.
	Label  []uint32
	Labels []string
}

// HeadsOf returns the Heads of a store. Only the first call reads them. The caller must not change them.
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
	documents, labels := map[string]uint32{"": 0}, map[string]uint32{}
	var group, document string  // the group and the document of the previous sample
	var sentence, number uint32 // the numbers of its sentence (0 before the first sample) and its document
	const step = 1 << 10
	progress.Step("measure", "samples", int64(m.Samples))
	err := s.SampleWords(0, m.Samples, func(id uint32, t *index.Tree, words int) error {
		if (id+1)%step == 0 {
			progress.Add(step)
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		h.Words[id] = uint32(words)
		if sentence == 0 || !t.SameSentence(group, document) {
			sentence++
		}
		if t.Group != group {
			group = strings.Clone(t.Group)
		}
		if t.Document != document {
			document = strings.Clone(t.Document)
			number = numberOf(documents, document)
		}
		if h.Sentence != nil {
			h.Sentence[id] = sentence
		}
		if h.Document != nil {
			h.Document[id] = number
		}
		if h.Label != nil {
			n, ok := labels[t.Label]
			if !ok {
				h.Labels = append(h.Labels, strings.Clone(t.Label))
				n = numberOf(labels, h.Labels[len(h.Labels)-1])
			}
			h.Label[id] = n
		}
		return nil
	})
	h.Documents = len(documents) - 1
	return h, err
}

// numberOf returns numbers[name]. A new name gets the next number.
func numberOf(numbers map[string]uint32, name string) uint32 {
	n, ok := numbers[name]
	if !ok {
		n = uint32(len(numbers))
		numbers[name] = n
	}
	return n
}
