// Package weights computes the weight of each fragment in a model.
package weights

import (
	"cmp"
	"context"
	"errors"
	"math"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/mine/learn/classes"
	"fstore/mine/learn/linear"
	"fstore/mine/learn/rerank"
	"fstore/mine/learn/svm"
	"fstore/mine/query"
	"fstore/mine/recount"
	"fstore/store"
)

// FragmentWeights are the weights that a model gives to the fragments of a space or of a selection.
type FragmentWeights struct {
	// Relevance says whether the weights come from the gradient of a kernel machine (mine/README.md,
	// "Relevance"). Otherwise they are the weights of a linear model.
	Relevance bool
	Of        []float64 // the weights, by feature id minus 1
}

// FragmentWeightOptions say which weights are wanted.
type FragmentWeightOptions struct {
	Model     string
	Positive  string // the label whose machine is meant, if the model has several
	Selection string // "" stands for the fragments of the space
	Space     string // the name or ID of the space; "" is the selection's space, or the only space of the store
	Workers   int    // 0: one for each processor
	Progress  index.Progress
}

// ReadFragmentWeights returns the weight of each fragment in a model of the store. The error is an
// *index.UsageError if the model has no weights for these fragments or no machine for the label.
func ReadFragmentWeights(ctx context.Context, s *store.Store, o FragmentWeightOptions) (*FragmentWeights, error) {
	o.Progress = cmp.Or[index.Progress](o.Progress, index.NoProgress{})
	info := s.Meta().Model(o.Model)
	if info == nil {
		return nil, index.Usagef("the store has no model %q", o.Model)
	}
	f, err := featuresOf(s, o)
	if err != nil {
		return nil, err
	}
	b, err := s.Model(info.Name)
	if err != nil {
		return nil, err
	}
	if info.Kernel != "" {
		return f.relevance(ctx, info, b, o)
	}
	return f.weights(info, b, o)
}

type weightedFeatures struct {
	s         *store.Store
	space     string // the space's ID
	selection string
	n         uint32
	hash      uint64 // the hash of the vocabulary
	expansion string // the file of the expansion index
}

func featuresOf(s *store.Store, o FragmentWeightOptions) (*weightedFeatures, error) {
	if o.Selection == "" {
		_, info, err := query.SpaceOf(s, o.Space)
		if err != nil {
			return nil, err
		}
		return &weightedFeatures{
			s: s, space: info.ID,
			n: info.Features, hash: info.VocabularyHash, expansion: info.Expansion,
		}, nil
	}
	sel, err := query.OpenSelection(s, o.Selection)
	if err != nil {
		return nil, err
	}
	i := sel.Info
	return &weightedFeatures{
		s: s, space: sel.Space.ID(), selection: i.Name,
		n: i.Features, hash: i.VocabularyHash, expansion: i.Expansion,
	}, nil
}

// relevance returns the weights of the fragments in the gradient of a kernel machine.
func (f *weightedFeatures) relevance(ctx context.Context, info *store.ModelInfo, b []byte, o FragmentWeightOptions) (_ *FragmentWeights, err error) {
	if info.Learner == rerank.LearnerKernel || info.Selection != "" || info.Kernel != f.space {
		return nil, index.Usagef("model %s is no kernel machine over all of space %s", info.Name, f.space)
	}
	syms, err := f.s.Symbols()
	if err != nil {
		return nil, err
	}
	m, err := svm.Decode(b, syms)
	if err != nil {
		return nil, query.DamagedModel(f.s, info.Name, err)
	}
	g, err := svm.NewGradient(ctx, m, o.Positive, syms, o.Workers, o.Progress)
	if err != nil {
		return nil, err
	}
	x, err := query.OpenVerifiedExpansion(f.s, f.expansion, f.n)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	o.Progress.Step("read "+info.Name, "vectors", int64(len(g.Vectors)))
	r, err := RelevanceIn(ctx, m, g, x, syms, o.Progress)
	if err != nil {
		return nil, err
	}
	return &FragmentWeights{Relevance: true, Of: r.Score}, nil
}

func (f *weightedFeatures) weights(info *store.ModelInfo, b []byte, o FragmentWeightOptions) (*FragmentWeights, error) {
	m, err := decodeLinear(info, b)
	if err != nil {
		return nil, query.DamagedModel(f.s, info.Name, err)
	}
	if info.VocabularyHash != f.hash || m.Features != f.n {
		what := "the fragments of space " + f.space
		if f.selection != "" {
			what = "those of selection " + f.selection
		}
		return nil, index.Usagef("the features of model %s are not %s", info.Name, what)
	}
	k, err := classes.MachineOf(o.Positive, m.Labels, m.Scores())
	if err != nil {
		return nil, err
	}
	w := &FragmentWeights{Of: make([]float64, f.n)}
	for i, id := range m.ID {
		if id > 0 {
			w.Of[id-1] = m.Weight[i*m.Scores()+k]
		}
	}
	return w, nil
}

// decodeLinear reads the bytes of a linear model, or of a reranker with a linear model.
func decodeLinear(info *store.ModelInfo, b []byte) (*linear.Model, error) {
	if !rerank.IsLinear(info.Learner) {
		return linear.Decode(b)
	}
	r, err := rerank.Decode(b)
	if err != nil {
		return nil, err
	}
	return r.Linear, nil
}

// Matched has sums over all matches of a fragment in the vectors of a model. The slices have an element for
// each fragment of an expansion index, by feature id minus 1.
type Matched struct {
	*recount.Counts
	Score []float64 // the weight in the gradient
	Terms []float64 // the sum of the absolute values of the terms of Score
}

// RelevanceIn returns the weights that the fragments of x have in g, the gradient of a machine of m.
func RelevanceIn(ctx context.Context, m *svm.Model, g *svm.Gradient, x *expansion.Index, syms *index.Symbols, progress index.Progress) (*Matched, error) {
	r := &Matched{Counts: recount.New(x), Score: make([]float64, x.Features()), Terms: make([]float64, x.Features())}
	match := m.Space.NewMatcher(x, syms, m.Lambda)
	err := g.EachVector(func(_ int, t *index.Tree, weight float64) error {
		progress.Add(1)
		if err := ctx.Err(); err != nil {
			return err
		}
		hits, err := match.Match(t, 0)
		r.Add(hits)
		for i := range hits {
			h := &hits[i]
			term := float64(weight * index.Value(m.Space, int(h.Order), h.Match, m.Lambda))
			r.Score[h.ID-1] += term
			r.Terms[h.ID-1] += math.Abs(term)
		}
		return err
	})
	return r, err
}
