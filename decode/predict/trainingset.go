package predict

import (
	"context"

	"fstore/decode/linearize"
	"fstore/decode/vector"
	"fstore/index"
	"fstore/mine/learn/linear"
)

// TrainingSet is the labelled samples of a store, in the form that learners learn from.
type TrainingSet struct {
	linear.Samples
	Names, Documents []string // one for each sample
	Unlabelled       uint32   // number of samples without a label, which are left out
}

// NewTrainingSet linearizes the labelled samples in the linearizer's store. For bias, see linear.NewMatrix.
// For workers, see StreamOptions.
func NewTrainingSet(ctx context.Context, l *linearize.Linearizer, bias float64, workers int, progress index.Progress) (*TrainingSet, error) {
	set := &TrainingSet{Samples: linear.Samples{X: linear.NewMatrix(l.Features(), bias)}}
	s := l.NewStream(ctx, matrixWriter{set.X}, linearize.StreamOptions{Workers: workers, Wanted: set.add})
	return set, s.RunStored(0, progress)
}

// add adds the labels, the name and the document of a sample. It returns false if the sample has no label.
func (s *TrainingSet) add(t *index.Tree) bool {
	var labels []string
	index.SplitLabels(t.Label, func(label string) { labels = append(labels, label) })
	if len(labels) == 0 {
		s.Unlabelled++
		return false
	}
	s.Labels = append(s.Labels, labels)
	s.Names, s.Documents = append(s.Names, t.Name), append(s.Documents, t.Document)
	return true
}

// matrixWriter is a vector.Writer that adds vectors as rows of a matrix.
type matrixWriter struct{ m *linear.Matrix }

func (w matrixWriter) Write(v *vector.Vector) error {
	w.m.Append(v.ID, v.Value)
	return nil
}

func (matrixWriter) Flush() error { return nil }

func (matrixWriter) Close() error { return nil }
