package contrast

import (
	"context"
	"strings"

	"fstore/mine/query"
	"fstore/store"
)

// newSides decides for every sample on which sides it is, and measures both sides.
func newSides(ctx context.Context, t *query.Table, o *Options) (*sides, error) {
	s := &sides{of: make([]side, t.Store().Meta().Samples)}
	if err := s.label(t, o); err != nil {
		return nil, err
	}
	return s, s.measure(ctx, t.Store(), o)
}

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

// mark puts the samples of some labels on a side. It replaces the labels in *labelList by their names in the
// store.
func (s *sides) mark(t *query.Table, labelList *string, bit side) error {
	labels, err := t.FindUnion(*labelList)
	if err != nil {
		return err
	}
	*labelList = strings.Join(labels, ",")
	for _, label := range labels {
		err := t.EachOf(label, func(id uint32) { s.of[id] |= bit })
		if err != nil {
			return err
		}
	}
	return nil
}

// measure sets the sentence and the document of each sample, and adds up the words of both sides.
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

// add counts a sample with the given number of words. If document is 0, the sample has no document.
func (t *totals) add(document uint32, words uint64) {
	t.samples++
	t.words += words
	if document != 0 {
		t.byDocument[document] += words
	}
}

func (t *totals) measure() {
	for _, words := range t.byDocument {
		t.inDocuments += words
		if words > 0 && (t.smallest == 0 || words < t.smallest) {
			t.smallest = words
		}
	}
}
