package predict

import (
	"context"
	"fmt"

	"fstore/decode/linearize"
	"fstore/decode/vector"
	"fstore/index"
	"fstore/mine/learn/svm"
	"fstore/store"
)

// kernelReasons are the weights that a kernel machine gives the stored fragments of its
// space, or those of the selection that it runs over: their relevance (mine/README.md).
type kernelReasons struct {
	l        *linearize.Linearizer
	weights  []float64 // by feature id less 1 and machine
	machines int
}

// weigh finds the weights: Σ α·y·φ(f, x)/‖x‖ over the vectors x of the model.
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
	r := &kernelReasons{l: l, machines: len(k.m.Machines)}
	k.reasons = r
	if err := l.Verify(); err != nil {
		return err
	}
	r.weights = make([]float64, int(l.Features())*r.machines)
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
				r.weights[int(id-1)*r.machines+machine] += float64(a * value)
			}
		}
		return nil
	})
}

// kernelExplainer scores, and names the fragments of the tree scored last.
type kernelExplainer struct {
	*svm.Worker
	of       *kernelReasons
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
	s.parts = s.parts[:0]
	for i, id := range s.v.ID {
		if w := s.of.weights[int(id-1)*s.of.machines+k]; w != 0 {
			s.parts = append(s.parts, part{id, w * s.v.Value[i] * s.Scale()})
		}
	}
	return s.parts.reasons(dst, n, s.of.l)
}
