package decode

import (
	"context"
	"fmt"

	"fstore/index"
	"fstore/mine"
	"fstore/mine/svm"
	"fstore/store"
)

// kernelModel is a kernel machine of a store.
type kernelModel struct {
	m    *svm.Model
	c    *svm.Scorer
	syms *index.Symbols
}

// OpenKernelModel reads a kernel machine of a store and prepares it; see svm.NewScorer
// for voted.
func OpenKernelModel(ctx context.Context, s *store.Store, name string, voted bool, workers int) (Model, error) {
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
		return nil, &store.Error{Dir: s.Dir(), Kind: store.ErrDamaged, Detail: fmt.Sprintf("model %q", name), Err: err}
	}
	c, err := svm.NewScorer(ctx, m, syms, voted, workers)
	if err != nil {
		return nil, err
	}
	return &kernelModel{m, c, syms}, nil
}

func (k *kernelModel) Labels() []string { return k.m.Labels }

func (k *kernelModel) ReaderSymbols() *index.Symbols {
	s := k.syms.Clone()
	s.Freeze()
	return s
}

func (k *kernelModel) NewScorer() Scorer { return k.c.NewWorker() }

func (k *kernelModel) Check(t *index.Tree) error { return mine.CheckSame(k.m.Kind, k.m.OneAlphabet, t) }
