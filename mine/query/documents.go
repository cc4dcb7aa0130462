package query

import (
	"context"
	"fmt"
	"strings"

	"fstore/index"
	"fstore/mine/association"
	"fstore/store"
)

// ErrNoPlaces says that the lists of a space tell no places.
func ErrNoPlaces(t *Table) error {
	return fmt.Errorf("the fragments of %s were stored by an older version, which did not count them: append to the store, or build it with --overwrite", t.Info.ID)
}

// SumByLabel sets dst to the sums of numbers of samples by label.
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

// DocumentNumbers numbers the documents of trees, in the order in which they come. Its zero value has
// none. It is for one goroutine.
type DocumentNumbers struct {
	number map[string]uint32
	last   string // the document of the tree before
	lastIs uint32
}

// Of returns the number of a tree's document, from 1; 0 if it has none.
func (d *DocumentNumbers) Of(t *index.Tree) uint32 {
	if t.Document == d.last {
		return d.lastIs
	}
	d.last, d.lastIs = strings.Clone(t.Document), 0
	if t.Document == "" {
		return 0
	}
	if d.number == nil {
		d.number = map[string]uint32{}
	}
	n, ok := d.number[d.last]
	if !ok {
		n = uint32(len(d.number) + 1)
		d.number[d.last] = n
	}
	d.lastIs = n
	return n
}

// Len returns how many documents there are.
func (d *DocumentNumbers) Len() int { return len(d.number) }

// Documents are the documents of a store, which have words. It is for one goroutine.
type Documents struct {
	of       []uint32 // the document of each sample, from 1; 0 where it has none
	words    []float64
	all      float64
	smallest float64

	hits []float64 // by document, scratch
	with []uint32  // those with hits
}

// Documents reads the documents of all samples, and their words: nil where there are none.
func (t *Table) Documents(ctx context.Context, progress index.Progress) (*Documents, error) {
	m := t.s.Meta()
	if m.Documents == 0 {
		return nil, nil
	}
	d := &Documents{of: make([]uint32, m.Samples), words: make([]float64, 1, m.Documents+1)}
	var numbers DocumentNumbers
	progress.Step("measure", "samples", int64(m.Samples))
	err := t.s.SampleWords(0, m.Samples, func(id uint32, tree *index.Tree, words int) error {
		if id%lookEvery == 0 {
			progress.Add(lookEvery)
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		n := numbers.Of(tree)
		if d.of[id] = n; n == 0 {
			return nil
		}
		if int(n) == len(d.words) {
			d.words = append(d.words, 0)
		}
		d.words[n] += float64(words)
		return nil
	})
	for _, n := range d.words[1:] {
		if d.all += n; d.smallest == 0 || n < d.smallest {
			d.smallest = n
		}
	}
	d.hits = make([]float64, len(d.words))
	return d, err
}

// Dispersion is how something is spread over the documents that occurs so often in these samples,
// which ascend.
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

// LabelSize is what a label's samples have.
type LabelSize struct{ Words, Documents uint64 }

// LabelSizes returns the words and documents of each label, in the order of Labels. It reads all
// samples.
func LabelSizes(ctx context.Context, s *store.Store, labels []string) ([]LabelSize, error) {
	type inDocument struct {
		label    int
		document string
	}
	number := make(map[string]int, len(labels))
	for i, label := range labels {
		number[label] = i
	}
	sizes := make([]LabelSize, len(labels))
	seen := map[inDocument]bool{}
	return sizes, s.SampleWords(0, s.Meta().Samples, func(id uint32, t *index.Tree, words int) error {
		if id%lookEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		index.SplitLabels(t.Label, func(label string) {
			i, ok := number[label]
			if !ok {
				return
			}
			sizes[i].Words += uint64(words)
			if t.Document != "" && !seen[inDocument{i, t.Document}] {
				seen[inDocument{i, strings.Clone(t.Document)}] = true
				sizes[i].Documents++
			}
		})
		return nil
	})
}
