package predict

import (
	"context"
	"errors"
	"fmt"
	"io"

	"fstore/index"
	"fstore/mine/learn/svm"
	"fstore/mine/query"
	"fstore/store"
)

// kernelModel is a kernel machine of a store.
type kernelModel struct {
	m    *svm.Model
	c    *svm.Scorer
	syms *index.Symbols
	held io.Closer // what the kernel runs over, where that is a selection

	reasons *kernelReasons // nil where none are wanted
}

// OpenKernelModel reads a kernel machine of a store and prepares it; see svm.NewScorer
// for voted. One whose kernel runs over a selection is ErrOtherVocabulary where the
// selection has changed since. With why set its scorers are Explainers, unless it votes. The
// model is an io.Closer, to be closed before the store.
func OpenKernelModel(ctx context.Context, s *store.Store, name string, voted, why bool, workers int) (Model, error) {
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
	if why && !voted {
		if err := k.weigh(ctx, s, s.Meta().Model(name).Selection); err != nil {
			return nil, errors.Join(err, k.Close())
		}
	}
	return k, nil
}

// restrict opens the selection that the kernel runs over, if there is one.
func (k *kernelModel) restrict(s *store.Store, info *store.ModelInfo) error {
	if info.Selection == "" {
		return nil
	}
	sel, err := query.OpenSelection(s, info.Selection)
	if err != nil {
		return err
	}
	if sel.Info.VocabularyHash != info.VocabularyHash {
		return fmt.Errorf("model %q: %w: the fragments of %s have changed since, train it again", info.Name, ErrOtherVocabulary, info.Selection)
	}
	x, err := sel.OpenExpansion()
	if err != nil {
		return err
	}
	k.m.Fragments, k.held = x, x
	return nil
}

// Close releases what the model holds of the store: no scorer may be in use.
func (k *kernelModel) Close() (err error) {
	if k.reasons != nil {
		err = k.reasons.l.Close()
	}
	if k.held != nil {
		err = errors.Join(err, k.held.Close())
	}
	return err
}

func (k *kernelModel) Labels() []string { return k.m.Labels }

func (k *kernelModel) ReaderSymbols() *index.Symbols { return k.syms.Overlay() }

func (k *kernelModel) NewScorer() Scorer {
	if k.reasons == nil {
		return k.c.NewWorker()
	}
	return &kernelExplainer{Worker: k.c.NewWorker(), of: k.reasons, features: k.reasons.l.NewWorker()}
}

func (k *kernelModel) Check(t *index.Tree) error {
	return index.CheckSame(k.m.Kind, k.m.OneAlphabet, t)
}
