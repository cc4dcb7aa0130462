package contrast

import (
	"context"
	"fmt"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
	"fstore/mine/query"
	"fstore/store"
)

// side is a bit for each side that a sample is on: it is on both where it has both
// labels.
type side uint8

const (
	sideA side = 1 << iota
	sideB
)

// sides say what each sample is part of.
type sides struct {
	of       []side
	sentence []uint32 // its sentence, ascending from 1; nil where each sample is one
	document []uint32 // its document, from 1, 0 is none; nil where there are none
	docs     int      // documents
	a, b     totals
	both     uint64 // samples on both sides
	without  uint64 // samples of either side that are in no document
}

// totals are the size of a side.
type totals struct {
	samples, sentences, documents, words uint64

	byDocument            []uint64 // words, by document
	inDocuments, smallest uint64   // words of all documents, and of the smallest that has any
}

func (t *totals) in(u Unit) uint64 {
	switch u {
	case Words:
		return t.words
	case Documents:
		return t.documents
	}
	return t.sentences
}

// newSides puts every sample on its sides, and measures them.
func newSides(ctx context.Context, t *query.Table, o *Options) (*sides, error) {
	s := &sides{of: make([]side, t.Store().Meta().Samples)}
	if err := s.label(t, o); err != nil {
		return nil, err
	}
	return s, s.measure(ctx, t.Store(), o)
}

// label sets the sides of the samples.
func (s *sides) label(t *query.Table, o *Options) error {
	mark := func(union *string, bit side) error {
		labels, err := t.FindUnion(*union)
		for _, label := range labels {
			bm, err := t.Store().LabelBitmap(label)
			if err != nil {
				return err
			}
			if err := s.mark(t.Store(), bm, label, bit); err != nil {
				return err
			}
		}
		*union = strings.Join(labels, ",")
		return err
	}
	if o.Reference != nil && o.A == "" {
		for i := range s.of {
			s.of[i] = sideA
		}
		return nil
	}
	if err := mark(&o.A, sideA); err != nil || o.Reference != nil {
		return err
	}
	if o.B != "" {
		if err := mark(&o.B, sideB); err != nil {
			return err
		}
		return o.checkSides()
	}
	for i, is := range s.of {
		if is == 0 {
			s.of[i] = sideB
		}
	}
	return nil
}

func (s *sides) mark(st *store.Store, bm *roaring.Bitmap, label string, bit side) error {
	for it := bm.Iterator(); it.HasNext(); {
		id := it.Next()
		if int(id) >= len(s.of) {
			return &store.Error{Dir: st.Dir(), Kind: store.ErrDamaged, Detail: fmt.Sprintf("label %q names sample %d of %d", label, id, len(s.of))}
		}
		s.of[id] |= bit
	}
	return nil
}

// measure reads the samples: their sentences, their documents and, where these or sizes are
// weighed by words, their words.
func (s *sides) measure(ctx context.Context, st *store.Store, o *Options) error {
	m := st.Meta()
	if m.Sentences != uint64(m.Samples) {
		s.sentence = make([]uint32, m.Samples)
	}
	if m.Documents > 0 {
		s.document = make([]uint32, m.Samples)
	}
	const step = 1 << 10
	o.Progress.Step("measure", "samples", int64(m.Samples))
	var n numbering
	each := func(id uint32, t *index.Tree, words int) error {
		if (id+1)%step == 0 {
			o.Progress.Add(step)
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		sentence, document := n.next(t)
		if s.sentence != nil {
			s.sentence[id] = sentence
		}
		if s.document != nil {
			s.document[id] = document
		}
		s.add(s.of[id], document, uint64(words))
		return nil
	}
	var err error
	if o.Per == Words || m.Documents > 0 {
		err = st.SampleWords(0, m.Samples, each)
	} else {
		err = st.SampleHeads(0, m.Samples, func(id uint32, t *index.Tree) error { return each(id, t, 0) })
	}
	s.docs = n.documents.Len()
	s.a.close(s.docs)
	s.b.close(s.docs)
	s.distinct()
	return err
}

// add counts a sample of so many words of a document, 0 for none.
func (s *sides) add(is side, document uint32, words uint64) {
	if is == sideA|sideB {
		s.both++
	}
	if is != 0 && document == 0 {
		s.without++
	}
	if is&sideA != 0 {
		s.a.add(document, words)
	}
	if is&sideB != 0 {
		s.b.add(document, words)
	}
}

func (t *totals) add(document uint32, words uint64) {
	t.samples++
	t.words += words
	if document == 0 {
		return
	}
	for int(document) >= len(t.byDocument) {
		t.byDocument = append(t.byDocument, 0)
	}
	t.byDocument[document] += words
}

// close ends adding, where there are so many documents.
func (t *totals) close(documents int) {
	for len(t.byDocument) <= documents {
		t.byDocument = append(t.byDocument, 0)
	}
	for _, words := range t.byDocument {
		t.inDocuments += words
		if words > 0 && (t.smallest == 0 || words < t.smallest) {
			t.smallest = words
		}
	}
}

// distinct counts the sentences and documents of each side, as if of a fragment that
// every sample has.
func (s *sides) distinct() {
	c := newCounter(s, Documents)
	for id := range s.of {
		c.add(uint32(id), 1, 1)
	}
	s.a.sentences, s.a.documents = c.a.sentences, c.a.documents
	s.b.sentences, s.b.documents = c.b.sentences, c.b.documents
}

// numbering numbers the sentences and documents of samples in order.
type numbering struct {
	documents       query.DocumentNumbers
	sentence        uint32 // of the sample before, from 1; 0 is none yet
	group, document string // of the sample before
}

// next returns the sentence of a sample, ascending from 1, and its document, from 1, 0
// where it has none.
func (n *numbering) next(t *index.Tree) (sentence, document uint32) {
	if n.sentence == 0 || !t.SameSentence(n.group, n.document) {
		n.sentence++
	}
	if t.Group != n.group {
		n.group = strings.Clone(t.Group)
	}
	if t.Document != n.document {
		n.document = strings.Clone(t.Document)
	}
	return n.sentence, n.documents.Of(t)
}
