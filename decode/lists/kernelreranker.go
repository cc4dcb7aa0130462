package lists

import (
	"context"
	"fmt"

	"fstore/decode/linearize"
	"fstore/decode/read"
	"fstore/index"
	"fstore/mine/learn/rerank"
	"fstore/mine/query"
	"fstore/store"
)

// kernelReranker scores the candidates of lists with a kernel perceptron.
type kernelReranker struct {
	m     *rerank.KernelModel
	c     *rerank.KernelScorer
	syms  *index.Symbols
	voted bool

	beside rerank.Beside
}

// OpenKernelReranker opens a kernel perceptron over lists and prepares its trees. It scores candidates by
// rerank.Decision.Voted or, if `voted` is false, by Averaged.
func OpenKernelReranker(s *store.Store, name string, voted bool) (ListModel, error) {
	b, err := s.Model(name)
	if err != nil {
		return nil, err
	}
	syms, err := s.Symbols()
	if err != nil {
		return nil, err
	}
	m, err := rerank.DecodeKernel(b, syms)
	if err != nil {
		return nil, query.DamagedModel(s, name, err)
	}
	c, err := rerank.NewKernelScorer(m, syms)
	if err != nil {
		return nil, fmt.Errorf("model %q: %w", name, err)
	}
	beta := m.Beta.Averaged
	if voted {
		beta = m.Beta.Voted
	}
	return &kernelReranker{m, c, syms, voted, rerank.OfScore(beta)}, nil
}

func (k *kernelReranker) ReaderSymbols() *index.Symbols { return k.syms.Overlay() }

func (k *kernelReranker) Check(t *index.Tree) error {
	return index.CheckSame(k.m.Kind, k.m.OneAlphabet, t)
}

func (k *kernelReranker) Beside() *rerank.Beside { return &k.beside }

func (k *kernelReranker) newScorer() listScorer {
	return &kernelListScorer{k, k.c.NewWorker(), listTags{tags: read.Tags(k.m.Tags)}}
}

// kernelListScorer scores candidates, for one goroutine.
type kernelListScorer struct {
	*kernelReranker
	worker *rerank.KernelWorker
	tags   listTags
}

func (s *kernelListScorer) scores(ctx context.Context, dst [][]float64, lists []read.List, failed []error) error {
	for i := range lists {
		if failed[i] == nil && ctx.Err() == nil {
			failed[i] = s.score(dst[i], &lists[i])
		}
	}
	return nil
}

func (s *kernelListScorer) score(dst []float64, list *read.List) error {
	err := s.tags.withTags(list, list.Candidates, func(t *index.Tree) error {
		if err := s.worker.Add(t); err != nil {
			return &linearize.TreeError{Err: err}
		}
		return nil
	})
	if err != nil {
		return err
	}
	d, err := s.worker.Decide()
	if err != nil {
		return read.BadTree(list.Place, list.Candidates[0].Line, err)
	}
	if s.voted {
		copy(dst, d.Voted)
	} else {
		copy(dst, d.Averaged)
	}
	return nil
}

func (k *kernelReranker) Spaces() []index.Space { return []index.Space{k.m.Space} }

func (k *kernelReranker) Close() error { return nil }
