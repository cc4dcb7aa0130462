package predict

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"fstore/decode/format"
	"fstore/decode/linearize"
	"fstore/decode/vector"
	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/learn/linear"
	"fstore/mine/query"
	"fstore/store"
)

// ErrOtherVocabulary says that the features of a model have changed since it was trained.
var ErrOtherVocabulary = errors.New("the model is over another vocabulary")

// VectorsOf returns what a model stores about the vectors of l.
func VectorsOf(l *linearize.Linearizer) linear.Vectors {
	set := &l.O.Features[0]
	return linear.Vectors{
		Space: set.Space.ID(), Selection: set.Selection,
		Weight: string(l.O.Weight), Normalize: string(l.O.Normalize), Lambda: l.O.Lambda,
	}
}

// PutLinearModel puts a model over the features of l into a store. It adds the settings of the vectors to the
// given settings.
func PutLinearModel(w *store.Writer, name, learner string, m *linear.Model, l *linearize.Linearizer, settings map[string]string) error {
	return PutVectorModel(w, name, learner, l, settings, m.Append(nil))
}

// PutVectorModel is like PutLinearModel, but gets the model as bytes.
func PutVectorModel(w *store.Writer, name, learner string, l *linearize.Linearizer, settings map[string]string, model []byte) error {
	if l.O.Features[0].Kept != nil {
		return errors.New("a model that is kept is over a space, or a selection, as a whole")
	}
	v := VectorsOf(l)
	all := map[string]string{
		"space": v.Space, "weight": v.Weight, "normalize": v.Normalize,
		"lambda": format.Shortest(v.Lambda),
	}
	if hash := l.SupportHash(); hash != "" {
		all[linearize.SupportSetting] = hash
	}
	maps.Copy(all, settings)
	return w.PutModel(store.ModelInfo{
		Name: name, Learner: learner, Selection: v.Selection, VocabularyHash: l.VocabularyHash(), Settings: all,
	}, model)
}

// LinearModel is a linear model of a store. It implements Model. It must be closed before the store.
type LinearModel struct {
	*linearize.Linearizer
	m *linear.Model
	C *linear.Scorer
}

// fragmentsChanged returns an ErrOtherVocabulary about the fragments of a space or selection.
func fragmentsChanged(model, origin string) error {
	return fmt.Errorf("model %q: %w: the fragments of %s have changed since, train it again", model, ErrOtherVocabulary, origin)
}

// OpenLinearModel opens a linear model of a store. It returns ErrOtherVocabulary if the fragments of its
// space or selection have changed since the training.
func OpenLinearModel(s *store.Store, name string) (*LinearModel, error) {
	b, err := s.Model(name)
	if err != nil {
		return nil, err
	}
	m, err := linear.Decode(b)
	if err != nil {
		return nil, query.DamagedModel(s, name, err)
	}
	return OpenLinear(s, name, m)
}

// OpenLinear returns the model m, which has this name in the store, with its features.
func OpenLinear(s *store.Store, name string, m *linear.Model) (*LinearModel, error) {
	damaged := func(err error) error { return query.DamagedModel(s, name, err) }
	r, err := spaces.Parse(m.Vectors.Space)
	if err != nil {
		return nil, damaged(err)
	}
	if s.Meta().Space(r.Space.ID()) == nil {
		return nil, damaged(fmt.Errorf("the store has no space %s", m.Vectors.Space))
	}
	l, err := linearize.New(s, linearize.Options{
		Features: []linearize.FeatureSet{{Space: r.Space, Selection: m.Vectors.Selection}},
		Weight:   linearize.Weight(m.Vectors.Weight), Normalize: linearize.Normalize(m.Vectors.Normalize), Lambda: m.Vectors.Lambda,
	})
	if err != nil {
		return nil, err
	}
	info := s.Meta().Model(name)
	switch {
	case info.VocabularyHash != l.VocabularyHash():
		err = fragmentsChanged(name, cmp.Or(m.Vectors.Selection, m.Vectors.Space))
	case info.Settings[linearize.SupportSetting] != l.SupportHash():
		err = fmt.Errorf("model %q: %w: the samples have changed since, and with them what tfidf weighs by: train it again", name, ErrOtherVocabulary)
	case m.Features != l.Features():
		err = damaged(fmt.Errorf("%d features, and there are %d", m.Features, l.Features()))
	}
	return newLinearModel(l, m, err)
}

// newLinearModel returns the model m over the features of l. On an error, it closes l.
func newLinearModel(l *linearize.Linearizer, m *linear.Model, err error) (*LinearModel, error) {
	if err == nil {
		err = l.Verify()
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return &LinearModel{l, m, linear.NewScorer(m)}, nil
}

// OpenWeights opens the weights of a selection as a linear model with one score for two labels. It makes the
// vectors with the options o, but sets o.Features.
func OpenWeights(s *store.Store, sel *query.Selection, labels []string, bias float64, o linearize.Options) (*LinearModel, error) {
	weights := []float64{bias}
	err := s.Entries(sel.Info.Name, 1, math.MaxUint32, func(_ uint32, e *store.Entry) error {
		weights = append(weights, e.Weight)
		return nil
	})
	if err != nil {
		return nil, err
	}
	o.Features = []linearize.FeatureSet{{Space: sel.Space, Selection: sel.Info.Name}}
	l, err := linearize.New(s, o)
	if err != nil {
		return nil, err
	}
	return newLinearModel(l, linear.NewModel(labels, [][]float64{weights}, 1), nil)
}

// Labels implements Model.
func (m *LinearModel) Labels() []string { return m.m.Labels }

// NewScorer implements Model. The scorer is an Explainer.
func (m *LinearModel) NewScorer() Scorer { return &linearScorer{model: m, worker: m.NewWorker()} }

type linearScorer struct {
	model  *LinearModel
	worker *linearize.Worker
	v      vector.Vector // the vector of the last tree
	parts  parts
}

type term struct {
	id  uint32
	add float64
}

func (s *linearScorer) Score(scores []float64, t *index.Tree) error {
	if err := s.worker.Features(t, &s.v); err != nil {
		return err
	}
	s.model.C.Score(scores, s.v.ID, s.v.Value)
	return nil
}

func (s *linearScorer) Explain(dst []Reason, k, n int) ([]Reason, error) {
	return s.parts.appendLoudest(dst, &s.v, 1, n, s.model.Linearizer, func(id uint32) float64 {
		if w := s.model.C.Weights(id); w != nil {
			return w[k]
		}
		return 0
	})
}

// Difference appends the n features in which the scores of the vectors `a` and `b` differ most. A
// contribution is positive if it favours `a`. The model must have one score.
func (m *LinearModel) Difference(dst []Reason, a, b *vector.Vector, n int) ([]Reason, error) {
	adds := map[uint32]float64{}
	for sign, v := range map[float64]*vector.Vector{1: a, -1: b} {
		for i, id := range v.ID {
			adds[id] += float64(sign * float64(m.C.Weight(id)*v.Value[i])) // the sum is the same in any order
		}
	}
	var all parts
	for id, x := range adds {
		if x != 0 {
			all = append(all, term{id, x})
		}
	}
	return all.reasons(dst, n, m.Linearizer)
}

// parts are the contributions of features to a score.
type parts []term

// appendLoudest appends the n features of a vector that add most to a score, or take most from it.
func (p *parts) appendLoudest(dst []Reason, v *vector.Vector, scale float64, n int, l *linearize.Linearizer, weight func(id uint32) float64) ([]Reason, error) {
	*p = (*p)[:0]
	for i, id := range v.ID {
		if w := weight(id); w != 0 {
			*p = append(*p, term{id, w * v.Value[i] * scale})
		}
	}
	return p.reasons(dst, n, l)
}

// reasons appends to dst the n parts that change a score most, upwards or downwards.
func (p parts) reasons(dst []Reason, n int, l *linearize.Linearizer) ([]Reason, error) {
	slices.SortFunc(p, func(a, b term) int {
		return cmp.Or(cmp.Compare(math.Abs(b.add), math.Abs(a.add)), cmp.Compare(a.id, b.id))
	})
	var text []byte
	for _, x := range p[:min(n, len(p))] {
		var err error
		if text, err = l.AppendFragment(text[:0], x.id); err != nil {
			return dst, err
		}
		dst = append(dst, Reason{string(text), x.add})
	}
	return dst, nil
}
