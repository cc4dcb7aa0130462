package query

import (
	"context"
	"fmt"

	"fstore/index"
	"fstore/mine/association"
)

// ErrNoPlaces returns the error for a space whose posting lists have no places.
func ErrNoPlaces(t *Table) error {
	return fmt.Errorf("the fragments of %s were stored by an older version, which did not count them: append to the store, or build it with --overwrite", t.Info.ID)
}

// SumByLabel returns the sum of numbers[i] over the samples ids[i] of each label. It uses the memory of dst.
func (t *Table) SumByLabel(dst []uint64, ids, numbers []uint32) ([]uint64, error) {
	if err := t.loadLabels(); err != nil {
		return dst, err
	}
	dst = append(dst[:0], make([]uint64, len(t.Labels))...)
	for i, id := range ids {
		if k := t.labelOf[id]; k != 0 {
			dst[k-1] += uint64(numbers[i])
		}
		for _, k := range t.more[id] {
			dst[k] += uint64(numbers[i])
		}
	}
	return dst, nil
}

// Documents has the documents of a store and the number of words in each. It is for one goroutine.
type Documents struct {
	of       []uint32 // the document of each sample, from 1; 0 without a document
	words    []float64
	all      float64
	smallest float64

	hits []float64 // scratch, by document
	with []uint32  // the documents with hits
}

// Documents reads the document of every sample, and counts the words of each document. It returns nil if the
// store has no documents.
func (t *Table) Documents(ctx context.Context, progress index.Progress) (*Documents, error) {
	m := t.s.Meta()
	if m.Documents == 0 {
		return nil, nil
	}
	h, err := HeadsOf(ctx, t.s, progress)
	if err != nil {
		return nil, err
	}
	d := &Documents{of: h.Document, words: make([]float64, h.Documents+1)}
	for id, n := range d.of {
		if n > 0 {
			d.words[n] += float64(h.Words[id])
		}
	}
	for _, n := range d.words[1:] {
		if d.all += n; d.smallest == 0 || n < d.smallest {
			d.smallest = n
		}
	}
	d.hits = make([]float64, len(d.words))
	return d, nil
}

// Dispersion returns how evenly the occurrences in samples are spread over the documents. Sample ids[i] has
// counts[i] occurrences.
func (d *Documents) Dispersion(ids, counts []uint32) association.Dispersion {
	x := association.Dispersion{Words: d.all, Smallest: d.smallest}
	d.with = d.with[:0]
	for i, id := range ids {
		n := d.of[id]
		if n == 0 {
			continue
		}
		if d.hits[n] == 0 {
			d.with = append(d.with, n)
		}
		d.hits[n] += float64(counts[i])
		x.Hits += float64(counts[i])
	}
	for _, n := range d.with {
		x.Add(d.words[n], d.hits[n])
		d.hits[n] = 0
	}
	return x
}
