package rerank

import (
	"context"
	"fmt"

	"fstore/mine/learn/codec"
	"fstore/mine/learn/crossval"
	"fstore/mine/learn/linear"
)

// Learners of a Model, as in store.ModelInfo.Learner: the perceptron of this package, and the learner of
// package optimum.
const (
	LearnerLinear = "averaged-perceptron-reranker"
	LearnerSVM    = "l1-svm-reranker"
)

// IsLinear says whether a learner's models have the type Model.
func IsLinear(learner string) bool { return learner == LearnerLinear || learner == LearnerSVM }

// Model gives each tree a score that is linear in the tree's vector.
type Model struct {
	Linear *linear.Model // has one score and no bias
	Beside Beside
	Tags   string // the source of the trees' tags, see Tags of package decode
}

// Labels are the labels of a model with one score. A higher score means a better tree.
var Labels = []string{"better", ""}

// Train trains a model on all lists, and returns the number of mistakes of each epoch. The caller must set
// m.Linear.Vectors, m.Beside and m.Tags.
func Train(ctx context.Context, l *Lists, v *Vectors, o Options) (m *Model, mistakes []int, err error) {
	o.setDefaults()
	o.Progress.Step("train", "epochs", int64(o.Epochs))
	all := crossval.UpTo(len(l.List))
	var learned *average
	err = perceptron(ctx, l, v, all, o, func(_ int, a *average, wrong int) error {
		learned = a
		mistakes = append(mistakes, wrong)
		o.Progress.Add(1)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return &Model{Linear: linear.NewModel(Labels, [][]float64{learned.mean()}, 0)}, mistakes, nil
}

const (
	codecVersion = 2
	codecOfBeta  = 1 // programs before 29 November 2026 wrote this version; it is still read
)

// code writes or reads the bytes of a model, see package codec:
//
//	version
//	m.Beside; in version 1, only β
//	m.Tags
//	the length of the bytes of m.Linear, and these bytes
//
// A model that was read is checked.
func (m *Model) code(c *codec.Coder) {
	if c.Version(codecVersion, codecOfBeta) == codecOfBeta {
		m.Beside = OfScore(0)
		c.Float(&m.Beside.Terms[0].Weight)
	} else {
		m.Beside.code(c)
	}
	c.Text(&m.Tags)
	c.Nested(m.Linear.Code)
	if c.Reading && c.Err == nil {
		c.Err = m.Beside.check()
	}
	if c.Reading && c.Err == nil && m.Linear.Scores() != 1 {
		c.Err = fmt.Errorf("%d scores", m.Linear.Scores())
	}
}

// Append appends the bytes that Decode reads.
func (m *Model) Append(dst []byte) []byte { return codec.Append(dst, m.code) }

// Decode reads the bytes of a model. It does not panic for any b.
func Decode(b []byte) (*Model, error) {
	m := &Model{Linear: &linear.Model{}}
	if err := codec.Decode(b, m.code); err != nil {
		return nil, fmt.Errorf("reranker: %w", err)
	}
	return m, nil
}
