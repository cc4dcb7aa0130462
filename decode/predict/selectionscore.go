package predict

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"fstore/decode/linearize"
	"fstore/decode/vector"
	"fstore/index"
	"fstore/mine/query"
	"fstore/mine/selection"
	"fstore/store"
)

// selectionModel scores by the weights of a selection by relevance (the LIN of Pighin &
// Moschitti 2010): it is the kernel machine less the fragments that were not selected.
type selectionModel struct {
	*linearize.Linearizer
	labels      []string
	weights     []float64 // by feature id less 1
	bias        float64
	offset      float64 // before normalisation
	kind        index.Kind
	oneAlphabet bool
}

// ErrNoWeights says that a selection has no weights that are a model.
var ErrNoWeights = errors.New("the selection is neither by relevance nor by gradient in K-best lists: its fragments have no weights to predict with")

// OpenSelectionModel opens a selection by relevance as a model, which is an io.Closer, to
// be closed before the store. Other selections are ErrNoWeights.
func OpenSelectionModel(s *store.Store, name string) (Model, error) {
	sel, err := query.OpenSelection(s, name)
	if err != nil {
		return nil, err
	}
	set := sel.Info.Settings
	lambda, err := strconv.ParseFloat(set[selection.LambdaSetting], 64)
	bias, biasErr := strconv.ParseFloat(set[selection.BiasSetting], 64)
	if err != nil || biasErr != nil || set[selection.PositiveSetting] == "" {
		return nil, fmt.Errorf("%s: %w", name, ErrNoWeights)
	}
	m := &selectionModel{
		labels: []string{set[selection.PositiveSetting], set[selection.NegativeSetting]}, bias: bias,
		kind: s.Meta().Kind, oneAlphabet: s.Meta().OneAlphabet,
	}
	if text, ok := set[selection.OffsetSetting]; ok {
		if m.offset, err = strconv.ParseFloat(text, 64); err != nil {
			return nil, fmt.Errorf("%s: %w", name, ErrNoWeights)
		}
	}
	err = s.Entries(name, 1, math.MaxUint32, func(_ uint32, e *store.Entry) error {
		m.weights = append(m.weights, e.Weight)
		return nil
	})
	if err != nil {
		return nil, err
	}
	m.Linearizer, err = linearize.New(s, linearize.Options{
		Features: []linearize.FeatureSet{{Space: sel.Space, Selection: name}}, Weight: linearize.KernelValue, Normalize: linearize.Normalize(set[selection.NormalizeSetting]), Lambda: lambda,
	})
	if err != nil {
		return nil, err
	}
	if err := m.Verify(); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return m, nil
}

// Labels implements Model; those of the store are Linearizer.Labels.
func (m *selectionModel) Labels() []string { return m.labels }

func (m *selectionModel) Check(t *index.Tree) error { return index.CheckSame(m.kind, m.oneAlphabet, t) }

func (m *selectionModel) NewScorer() Scorer { return &selectionScorer{m: m, w: m.NewWorker()} }

// selectionScorer scores for one goroutine.
type selectionScorer struct {
	m *selectionModel
	w *linearize.Worker
	v vector.Vector

	parts parts
}

func (s *selectionScorer) Score(scores []float64, t *index.Tree) error {
	if err := s.w.Features(t, &s.v); err != nil {
		return err
	}
	scores[0] = s.m.bias + float64(s.m.offset*s.w.Columns[0].Scale)
	for i, id := range s.v.ID {
		scores[0] += float64(s.m.weights[id-1] * s.v.Value[i])
	}
	return nil
}

func (s *selectionScorer) Explain(dst []Reason, _, n int) ([]Reason, error) {
	return s.parts.appendLoudest(dst, &s.v, n, s.m.Linearizer, func(id uint32) float64 { return s.m.weights[id-1] })
}
