package linearize

import (
	"errors"
	"slices"

	"fstore/decode/vector"
	"fstore/index"
)

// Sum names the property of samples by which vectors are added up.
type Sum string

const (
	ByDocument Sum = "document" // one row for each document
	ByLabel    Sum = "label"    // one row for each label; a sample with several labels is added to several rows
)

// ErrNothingToSum says that vectors are added up by document or label, but no sample has a document or label.
var ErrNothingToSum = errors.New("no sample has one")

// sums adds up vectors, into one row for each document or label. It adds values in the order of the samples,
// so that each run gives the same result.
type sums struct {
	rows []*sumRow
	of   map[string]*sumRow

	without uint64 // number of samples that are added to no row
}

type sumRow struct {
	name   string
	labels []string
	values map[uint32]float64
}

func (s *sums) add(by Sum, t *index.Tree, v *vector.Vector) {
	var labels []string
	index.SplitLabels(t.Label, func(label string) { labels = append(labels, label) })
	keys := labels
	if by == ByDocument {
		keys = []string{t.Document}
	}
	if len(keys) == 0 || keys[0] == "" {
		s.without++
		return
	}
	for _, key := range keys {
		row := s.of[key]
		if row == nil {
			row = &sumRow{name: key, values: map[uint32]float64{}}
			s.of[key] = row
			s.rows = append(s.rows, row)
		}
		of := labels
		if by == ByLabel {
			of = []string{key}
		}
		for _, label := range of {
			if !slices.Contains(row.labels, label) {
				row.labels = append(row.labels, label)
			}
		}
		for i, id := range v.ID {
			row.values[id] += v.Value[i]
		}
	}
}
