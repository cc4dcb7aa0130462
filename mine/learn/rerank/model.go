package rerank

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"fstore/mine/learn/codec"
	"fstore/mine/learn/crossval"
	"fstore/mine/learn/linear"
)

// Learners of Model, as store.ModelInfo.Learner names them: the perceptron of this package, and
// that of package optimum.
const (
	LearnerLinear = "averaged-perceptron-reranker"
	LearnerSVM    = "l1-svm-reranker"
)

// IsLinear says whether a learner's models are of Model.
func IsLinear(learner string) bool { return learner == LearnerLinear || learner == LearnerSVM }

// Model scores trees linearly.
type Model struct {
	Linear *linear.Model // of one score, without bias
	Beside Beside
	Tags   string // whose tags trees have, as package decode's Tags
}

// Labels of a model of one score, which is higher for the better tree.
var Labels = []string{"better", ""}

// Train trains a model on all lists, of which it knows all but the vectors it is over. It
// returns the mistakes of each epoch.
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

// The bytes of a model:
//
//	version
//	what its scores have beside those of vectors, see Beside.append; in version 1, β
//	tags
//	the linear model's bytes
const (
	codecVersion = 2
	codecOfBeta  = 1 // still read: programs before 29 November 2026 wrote it
)

// Append appends the bytes of m.
func (m *Model) Append(dst []byte) []byte {
	dst = append(dst, codecVersion)
	dst = m.Beside.append(dst)
	dst = codec.AppendString(dst, m.Tags)
	n := m.Linear.Size()
	return m.Linear.Append(binary.AppendUvarint(slices.Grow(dst, binary.MaxVarintLen64+n), uint64(n)))
}

// Decode reads the bytes of a model. Whatever they are, it does not panic.
func Decode(b []byte) (*Model, error) {
	d := codec.NewReader(b)
	m := &Model{}
	if len(b) > 0 && b[0] == codecOfBeta {
		d.Byte()
		m.Beside = OfScore(d.Float())
	} else {
		if err := d.Version(codecVersion); err != nil {
			return nil, err
		}
		m.Beside = readBeside(d)
	}
	m.Tags = d.Text()
	inner := d.Bytes()
	d.End()
	if d.Err == nil {
		d.Err = m.Beside.check()
	}
	if d.Err == nil {
		m.Linear, d.Err = linear.Decode(inner)
	}
	if d.Err == nil && m.Linear.Scores() != 1 {
		d.Err = fmt.Errorf("%d scores", m.Linear.Scores())
	}
	if d.Err != nil {
		return nil, fmt.Errorf("reranker: %w", d.Err)
	}
	return m, nil
}
