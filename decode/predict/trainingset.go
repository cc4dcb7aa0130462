package predict

import (
	"context"
	"errors"

	"fstore/decode/linearize"
	"fstore/decode/vector"
	"fstore/index"
	"fstore/mine/learn/linear"
	"fstore/store"
)

// TrainingSet is the labelled samples of a store as a learner takes them.
type TrainingSet struct {
	linear.Samples
	Names, Documents []string // of each sample
	Unlabelled       uint32   // samples that are left out
}

// NewTrainingSet linearizes the labelled samples of the store that l is of, with a bias
// of this value (linear.NewMatrix), as Stream.RunStored does. Workers are those of
// StreamOptions.
func NewTrainingSet(ctx context.Context, l *linearize.Linearizer, bias float64, workers int, progress index.Progress) (*TrainingSet, error) {
	set := &TrainingSet{Samples: linear.Samples{X: linear.NewMatrix(l.Features(), bias)}}
	x, err := l.Transpose(ctx, 0, progress)
	if errors.Is(err, linearize.ErrNotStored) {
		progress.Step("linearize", "samples", int64(l.S.Meta().Samples))
		src := &labelledSamples{src: &linearize.Counting{Source: store.NewSource(l.S), Progress: progress}, set: set}
		return set, l.NewStream(ctx, matrixWriter{set.X}, linearize.StreamOptions{Workers: workers}).Run(src)
	}
	if err != nil {
		return nil, err
	}
	return set, x.Each(func(t *index.Tree, v *vector.Vector) error {
		if set.add(t) {
			set.X.Append(v.ID, v.Value)
		}
		return nil
	})
}

// add notes what the set says of a sample, and whether it is one of the set: labelled.
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

// labelledSamples passes over samples that are not of the set.
type labelledSamples struct {
	src index.Source
	set *TrainingSet
}

func (r *labelledSamples) Next(t *index.Tree) error {
	for {
		if err := r.src.Next(t); err != nil || r.set.add(t) {
			return err
		}
	}
}

// matrixWriter is a vector.Writer whose vectors become rows.
type matrixWriter struct{ m *linear.Matrix }

func (w matrixWriter) Write(v *vector.Vector) error {
	w.m.Append(v.ID, v.Value)
	return nil
}

func (matrixWriter) Flush() error { return nil }

func (matrixWriter) Close() error { return nil }
