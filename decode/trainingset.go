package decode

import (
	"context"

	"fstore/decode/vector"
	"fstore/index"
	"fstore/mine/linear"
	"fstore/store"
)

// TrainingSet is the labelled samples of a store as a learner takes them.
type TrainingSet struct {
	linear.Samples
	Names, Documents []string // of each sample
	Unlabelled       uint32   // samples that are left out
}

// NewTrainingSet linearizes the labelled samples of the store that l is of, with a bias
// of this value (linear.NewMatrix). Workers are those of StreamOptions.
func NewTrainingSet(ctx context.Context, s *store.Store, l *Linearizer, bias float64, workers int, progress index.Progress) (*TrainingSet, error) {
	set := &TrainingSet{Samples: linear.Samples{X: linear.NewMatrix(l.Features(), bias)}}
	progress.Step("linearize", "samples", int64(s.Meta().Samples))
	src := &labelledSamples{src: StoredSamples(s), set: set, progress: progress}
	err := l.NewStream(ctx, matrixWriter{set.X}, StreamOptions{Workers: workers}).Run(src)
	return set, err
}

// labelledSamples passes over samples without a label, and notes what it does not.
type labelledSamples struct {
	src      index.Source
	set      *TrainingSet
	progress index.Progress
}

func (r *labelledSamples) Next(t *index.Tree) error {
	for {
		if err := r.src.Next(t); err != nil {
			return err
		}
		r.progress.Add(1)
		var labels []string
		store.SplitLabels(t.Label, func(label string) { labels = append(labels, label) })
		if len(labels) == 0 {
			r.set.Unlabelled++
			continue
		}
		r.set.Labels = append(r.set.Labels, labels)
		r.set.Names, r.set.Documents = append(r.set.Names, t.Name), append(r.set.Documents, t.Document)
		return nil
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
