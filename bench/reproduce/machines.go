package main

import (
	"context"
	"errors"
	"io"

	"fstore/decode/predict"
	"fstore/index/stk"
	"fstore/mine/learn/svm"
	"fstore/store"
)

// kernelOf returns the kernel of PM10: subset trees, normalised.
func kernelOf() svm.Config { return svm.Config{Space: stk.Space{}, Lambda: 0.4, Normalize: true} }

// machines trains a kernel machine for each class against the rest, unless the store has machines of that
// name.
func (q *questions) machines(ctx context.Context, name string, c float64, workers int) error {
	have := false
	err := q.with(func(s *store.Store) error {
		have = s.Meta().Model(name) != nil
		return nil
	})
	if err != nil || have {
		return err
	}
	return q.change(func(w *store.Writer) error {
		m, _, err := svm.Train(ctx, w.Store(), svm.Options{Config: kernelOf(), C: c, Workers: workers})
		if err != nil {
			return err
		}
		return w.PutModel(store.ModelInfo{
			Name: name, Learner: svm.LearnerSVM, Kernel: m.Space.ID(), Settings: m.Settings(),
		}, m.Append(nil))
	})
}

// readMachines reads the kernel machines that the method `machines` has stored.
func readMachines(s *store.Store, name string) (*svm.Model, error) {
	b, err := s.Model(name)
	if err != nil {
		return nil, err
	}
	syms, err := s.Symbols()
	if err != nil {
		return nil, err
	}
	return svm.Decode(b, syms)
}

// scored holds the scores that the machines of all classes give to the test questions.
type scored struct {
	Classes []string
	Gold    []string    // by question: its class
	Scores  [][]float64 // by question and class
}

// score scores the test questions with the stored machines.
func (q *questions) score(ctx context.Context, name string, workers int) (r scored, err error) {
	err = q.with(func(s *store.Store) (err error) {
		m, err := predict.OpenKernelModel(ctx, s, name, false, false, workers)
		if err != nil {
			return err
		}
		defer func() {
			if c, ok := m.(io.Closer); ok {
				err = errors.Join(err, c.Close())
			}
		}()
		in, err := q.open(q.test, m.ReaderSymbols())
		if err != nil {
			return err
		}
		r.Classes = m.Labels()
		p := predict.New(ctx, m, workers, func(x *predict.Prediction) error {
			r.Gold = append(r.Gold, x.Gold)
			r.Scores = append(r.Scores, append([]float64(nil), x.Scores...))
			return nil
		})
		return errors.Join(p.Run(in), in.Close())
	})
	return r, err
}
