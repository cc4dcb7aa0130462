package predict

import (
	"context"
	"errors"
	"fmt"
	"io"

	"fstore/decode/linearize"
	"fstore/decode/vector"
	"fstore/index"
	"fstore/mine/learn/svm"
	"fstore/mine/query"
	"fstore/store"
)

type kernelModel struct {
	m    *svm.Model
	c    *svm.Scorer
	syms *index.Symbols
	held []io.Closer // opened parts of the store, to close with the model

	// These fields explain scores. weights[(id-1)*machines+k] is the relevance of feature id in machine k
	// (mine/README.md).
	features *linearize.Linearizer // nil if no reasons are wanted
	weights  []float64
}

// OpenKernelModel opens a kernel machine of a store, and prepares it:
//   - voted: see svm.NewScorer
//   - withReasons: the scorers are Explainers, unless voted is set
//
// If the kernel's selection has changed since the training, the error is ErrOtherVocabulary.
func OpenKernelModel(ctx context.Context, s *store.Store, name string, voted, withReasons bool, workers int) (Model, error) {
	b, err := s.Model(name)
	if err != nil {
		return nil, err
	}
	syms, err := s.Symbols()
	if err != nil {
		return nil, err
	}
	m, err := svm.Decode(b, syms)
	if err != nil {
		return nil, query.DamagedModel(s, name, err)
	}
	k := &kernelModel{m: m, syms: syms}
	if err := k.restrict(s, s.Meta().Model(name)); err != nil {
		return nil, err
	}
	if k.c, err = svm.NewScorer(ctx, m, syms, voted, workers); err != nil {
		return nil, errors.Join(err, k.Close())
	}
	if withReasons && !voted {
		if err := k.weigh(ctx, s, s.Meta().Model(name).Selection); err != nil {
			return nil, errors.Join(err, k.Close())
		}
	}
	return k, nil
}

// restrict opens the selection over which the kernel runs, if there is one.
func (k *kernelModel) restrict(s *store.Store, info *store.ModelInfo) error {
	if info.Selection == "" {
		return nil
	}
	sel, err := query.OpenSelection(s, info.Selection)
	if err != nil {
		return err
	}
	if sel.Info.VocabularyHash != info.VocabularyHash {
		return fragmentsChanged(info.Name, info.Selection)
	}
	x, err := sel.OpenExpansion()
	if err != nil {
		return err
	}
	k.m.Fragments, k.held = x, append(k.held, x)
	return nil
}

// Close releases what the model has opened. No scorer must be in use.
func (k *kernelModel) Close() (err error) {
	for _, x := range k.held {
		err = errors.Join(err, x.Close())
	}
	return err
}

func (k *kernelModel) Spaces() []index.Space { return []index.Space{k.m.Space} }

func (k *kernelModel) Labels() []string { return k.m.Labels }

func (k *kernelModel) ReaderSymbols() *index.Symbols { return k.syms.Overlay() }

func (k *kernelModel) NewScorer() Scorer {
	if k.features == nil {
		return k.c.NewWorker()
	}
	return &kernelExplainer{Worker: k.c.NewWorker(), of: k, features: k.features.NewWorker()}
}

func (k *kernelModel) Check(t *index.Tree) error {
	return index.CheckSame(k.m.Kind, k.m.OneAlphabet, t)
}

// weigh computes k.weights, the weight of each fragment in each machine of the model.
func (k *kernelModel) weigh(ctx context.Context, s *store.Store, selection string) error {
	if selection == "" && s.Meta().Space(k.m.Space.ID()) == nil {
		return index.Usagef("--why names stored fragments, and the store has none of space %s", k.m.Space.ID())
	}
	l, err := linearize.New(s, linearize.Options{
		Features: []linearize.FeatureSet{{Space: k.m.Space, Selection: selection}}, Weight: linearize.KernelValue, Lambda: k.m.Lambda,
	})
	if err != nil {
		return err
	}
	k.features, k.held = l, append(k.held, l)
	if err := l.Verify(); err != nil {
		return err
	}
	machines := len(k.m.Machines)
	k.weights = make([]float64, int(l.Features())*machines)
	w := l.NewWorker()
	var v vector.Vector
	return k.c.EachVector(func(i int, t *index.Tree, weights []float64, scale float64) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := w.Features(t, &v); err != nil {
			return fmt.Errorf("vector %d: %w", i, err)
		}
		for n, id := range v.ID {
			value := v.Value[n] * scale
			for machine, a := range weights {
				k.weights[int(id-1)*machines+machine] += float64(a * value)
			}
		}
		return nil
	})
}

// kernelExplainer scores trees, and explains the last score by fragments.
type kernelExplainer struct {
	*svm.Worker
	of       *kernelModel
	features *linearize.Worker
	t        *index.Tree
	v        vector.Vector
	parts    parts
}

func (s *kernelExplainer) Score(scores []float64, t *index.Tree) error {
	s.t = t
	return s.Worker.Score(scores, t)
}

func (s *kernelExplainer) Explain(dst []Reason, k, n int) ([]Reason, error) {
	if err := s.features.Features(s.t, &s.v); err != nil {
		return dst, err
	}
	return s.parts.appendLoudest(dst, &s.v, s.Scale(), n, s.of.features, func(id uint32) float64 { return s.of.weights[int(id-1)*len(s.of.m.Machines)+k] })
}
