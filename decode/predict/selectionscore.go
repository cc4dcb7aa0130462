package predict

import (
	"fmt"
	"strconv"

	"fstore/decode/linearize"
	"fstore/index"
	"fstore/mine/query"
	"fstore/mine/selection"
	"fstore/store"
)

// ErrNoWeights says that a selection has no weights to predict with.
var ErrNoWeights = index.Usagef("the selection is neither by relevance nor by gradient in K-best lists: its fragments have no weights to predict with")

// OpenSelectionModel opens a selection by relevance as a model. The model must be closed before the store.
// For any other selection, the error is ErrNoWeights.
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
	m := &selectionModel{}
	if text, ok := set[selection.OffsetSetting]; ok {
		if m.offset, err = strconv.ParseFloat(text, 64); err != nil {
			return nil, fmt.Errorf("%s: %w", name, ErrNoWeights)
		}
	}
	m.LinearModel, err = OpenWeights(s, sel, []string{set[selection.PositiveSetting], set[selection.NegativeSetting]}, bias, linearize.Options{
		Weight: linearize.KernelValue, Normalize: linearize.Normalize(set[selection.NormalizeSetting]), Lambda: lambda,
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// selectionModel scores trees with the weights of a selection by relevance (LIN in Pighin & Moschitti 2010),
// like a kernel machine over only the selected fragments.
type selectionModel struct {
	*LinearModel
	offset float64 // number that is added to each score, scaled by the normalisation
}

func (m *selectionModel) NewScorer() Scorer {
	return &selectionScorer{linearScorer{model: m.LinearModel, worker: m.NewWorker()}, m.offset}
}

// selectionScorer scores trees, for one goroutine.
type selectionScorer struct {
	linearScorer
	offset float64
}

func (s *selectionScorer) Score(scores []float64, t *index.Tree) error {
	if err := s.worker.Features(t, &s.v); err != nil {
		return err
	}
	c := s.model.C
	scores[0] = c.Weight(0) + float64(s.offset*s.worker.Columns[0].Scale)
	for i, id := range s.v.ID {
		scores[0] += float64(c.Weight(id) * s.v.Value[i])
	}
	return nil
}
