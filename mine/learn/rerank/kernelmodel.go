package rerank

import (
	"fmt"
	"math"
	"strconv"

	"fstore/index"
	"fstore/mine/learn/codec"
	"fstore/mine/learn/svm"
)

// Settings returns the kernel's settings, the source of the tags, and β, as a store lists them.
func (m *KernelModel) Settings() map[string]string {
	s := m.Config.Settings()
	s["tags"] = m.Tags
	s["beta:voted"] = strconv.FormatFloat(m.Beta.Voted, 'g', -1, 64)
	s["beta:averaged"] = strconv.FormatFloat(m.Beta.Averaged, 'g', -1, 64)
	return s
}

// Corrections returns the number of corrections in the model, which are the steps of all chunks.
func (m *KernelModel) Corrections() (n int) {
	for _, steps := range m.Chunks {
		n += len(steps)
	}
	return n
}

const kernelCodecVersion = 1

// code writes or reads the bytes of a model whose trees have symbols from s, see package codec:
//
//	version, the kernel (svm.CodeKernel)
//	tags, Beta.Voted, Beta.Averaged
//	number of chunks; for each: number of steps, and the steps (target, other, votes)
//	number of trees, and the trees (svm.CodeTree)
//
// A model that was read is checked.
func (m *KernelModel) code(c *codec.Coder, s *index.Symbols) {
	c.Version(kernelCodecVersion)
	svm.CodeKernel(c, &m.Config, &m.Kind, &m.OneAlphabet)
	c.Text(&m.Tags)
	c.Float(&m.Beta.Voted)
	c.Float(&m.Beta.Averaged)
	codec.Slice(c, &m.Chunks, 1, func(steps *[]Step) {
		codec.Slice(c, steps, 3, func(x *Step) {
			c.Uint32(&x.Target)
			c.Uint32(&x.Other)
			c.Uvarint(&x.Votes)
		})
	})
	codec.Slice(c, &m.Trees, 1, func(t *index.Tree) { svm.CodeTree(c, t, s) })
	if c.Reading && c.Err == nil {
		c.Err = m.check()
	}
}

// Append appends the bytes that DecodeKernel reads.
func (m *KernelModel) Append(dst []byte) []byte {
	return codec.Append(dst, func(c *codec.Coder) { m.code(c, nil) })
}

// DecodeKernel reads the bytes of a model, whose trees get symbols from s. It does not panic for any b.
func DecodeKernel(b []byte, s *index.Symbols) (*KernelModel, error) {
	m := &KernelModel{}
	if err := codec.Decode(b, func(c *codec.Coder) { m.code(c, s) }); err != nil {
		return nil, fmt.Errorf("reranker: %w", err)
	}
	return m, nil
}

func (m *KernelModel) check() error {
	for _, b := range []float64{m.Beta.Voted, m.Beta.Averaged} {
		if !(b >= 0 && b <= math.MaxFloat64) {
			return fmt.Errorf("a weight of the base score of %v", b)
		}
	}
	for _, steps := range m.Chunks {
		for _, s := range steps {
			if int(max(s.Target, s.Other)) >= len(m.Trees) || s.Votes == 0 {
				return fmt.Errorf("a step of trees %d and %d, with %d votes", s.Target, s.Other, s.Votes)
			}
		}
	}
	for i := range m.Trees {
		if t := &m.Trees[i]; t.Kind != m.Kind || t.OneAlphabet != m.OneAlphabet {
			return fmt.Errorf("tree %d is one of another kind", i)
		}
	}
	return nil
}

// KernelScorer decides about lists by a KernelModel. Goroutines can share it, but each needs its own
// KernelWorker.
type KernelScorer struct {
	m      *KernelModel
	syms   *index.Symbols
	chunks []*machine
}

// NewKernelScorer prepares a model, whose trees have symbols from s.
func NewKernelScorer(m *KernelModel, s *index.Symbols) (*KernelScorer, error) {
	e := newEvaluator(&m.Config, s)
	items := make([]item, len(m.Trees))
	for i := range items {
		var err error
		if items[i], err = e.prepare(&m.Trees[i]); err != nil {
			return nil, fmt.Errorf("tree %d of the model: %w", i, err)
		}
	}
	c := &KernelScorer{m: m, syms: s, chunks: make([]*machine, len(m.Chunks))}
	for k, steps := range m.Chunks {
		c.chunks[k] = &machine{}
		for _, x := range steps {
			c.chunks[k].add(e, step{target: &items[x.Target], other: &items[x.Other], votes: x.Votes})
		}
	}
	return c, nil
}

// KernelWorker decides which tree of a list is best. It takes one list at a time, and is for one goroutine.
type KernelWorker struct {
	c     *KernelScorer
	e     *evaluator
	items []item
}

// NewWorker returns a worker, which shares the prepared trees of c.
func (c *KernelScorer) NewWorker() *KernelWorker {
	return &KernelWorker{c: c, e: newEvaluator(&c.m.Config, c.syms)}
}

// Add adds a tree of the list. The symbols of t are from the scorer's symbols or from an Overlay of them. The
// worker does not keep t. If t is too large, Add returns an error and forgets the list.
func (w *KernelWorker) Add(t *index.Tree) error {
	x, err := w.e.prepare(t)
	if err != nil {
		w.items = w.items[:0]
		return err
	}
	w.items = append(w.items, x)
	return nil
}

// Decide returns the decision about the trees added since the last call.
func (w *KernelWorker) Decide() (Decision, error) {
	d, err := w.e.decide(w.items, w.c.chunks)
	w.items = w.items[:0]
	return d, err
}
