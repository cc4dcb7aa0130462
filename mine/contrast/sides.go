package contrast

import (
	"context"
	"slices"
	"strings"

	"fstore/mine/query"
	"fstore/store"
)

// side has a bit for each side. A sample with labels of both sides is on both.
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
	samples, words uint64
	tally          // of all its samples

	byDocument            []uint64 // words, by document
	inDocuments, smallest uint64   // words of all documents, and of the smallest that has any
}

func (t *totals) in(u Unit) uint64 {
	if u == Words {
		return t.words
	}
	return t.tally[slices.Index(tallied, u)]
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
	isAll := o.Reference != nil && o.A == ""
	if !isAll {
		if err := s.mark(t, &o.A, sideA); err != nil || o.Reference != nil {
			return err
		}
		if o.B != "" {
			if err := s.mark(t, &o.B, sideB); err != nil {
				return err
			}
			return o.checkSides()
		}
	}
	for i, is := range s.of {
		switch {
		case isAll:
			s.of[i] = sideA
		case is == 0:
			s.of[i] = sideB
		}
	}
	return nil
}

// mark puts the samples of some labels on a side, and sets union to the labels that are meant.
func (s *sides) mark(t *query.Table, union *string, bit side) error {
	labels, err := t.FindUnion(*union)
	if err != nil {
		return err
	}
	*union = strings.Join(labels, ",")
	for _, label := range labels {
		err := t.EachOf(label, func(id uint32) { s.of[id] |= bit })
		if err != nil {
			return err
		}
	}
	return nil
}

// measure sets the sentences and the documents of the samples, and adds up their words.
func (s *sides) measure(ctx context.Context, st *store.Store, o *Options) error {
	h, err := query.HeadsOf(ctx, st, o.Progress)
	if err != nil {
		return err
	}
	s.sentence, s.document, s.docs = h.Sentence, h.Document, h.Documents
	c := newCounter(s, Documents)
	c.countAll()
	s.a.tally, s.b.tally = c.a.tally, c.b.tally
	s.a.byDocument, s.b.byDocument = make([]uint64, s.docs+1), make([]uint64, s.docs+1)
	for id, is := range s.of {
		document := uint32(0)
		if h.Document != nil {
			document = h.Document[id]
		}
		if is == sideA|sideB {
			s.both++
		}
		if is != 0 && document == 0 {
			s.without++
		}
		if is&sideA != 0 {
			s.a.add(document, uint64(h.Words[id]))
		}
		if is&sideB != 0 {
			s.b.add(document, uint64(h.Words[id]))
		}
	}
	s.a.measure()
	s.b.measure()
	return nil
}

// add counts a sample of so many words of a document, 0 for none.
func (t *totals) add(document uint32, words uint64) {
	t.samples++
	t.words += words
	if document != 0 {
		t.byDocument[document] += words
	}
}

// measure sets what is told of the words of all documents.
func (t *totals) measure() {
	for _, words := range t.byDocument {
		t.inDocuments += words
		if words > 0 && (t.smallest == 0 || words < t.smallest) {
			t.smallest = words
		}
	}
}
