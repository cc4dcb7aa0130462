package main

import (
	"context"
	"errors"

	"fstore/decode/linearize"
	"fstore/decode/predict"
	"fstore/decode/vector"
	"fstore/index"
	"fstore/index/stk"
	"fstore/mine/learn/linear"
	"fstore/mine/learn/svm"
	"fstore/store"
)

// vectors has the questions as vectors over the selected fragments, each divided by √K(x,x) of its question
// x. Training vectors have a bias of 1 in column 0.
type vectors struct {
	train *predict.TrainingSet
	test  *linear.Matrix
}

// linearized returns the vectors over the features of a selection, and the features' weights in machine k of
// the model. w[0] is the bias.
func (q *questions) linearized(ctx context.Context, s *store.Store, selection string, m *svm.Model, k int, workers int) (v vectors, w []float64, err error) {
	l, err := linearize.New(s, linearize.Options{
		Features: []linearize.FeatureSet{{Space: stk.Space{}, Selection: selection}}, Weight: linearize.KernelValue, Normalize: linearize.NormalizeKernel, Lambda: m.Lambda,
	})
	if err != nil {
		return v, nil, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	if w, err = gradient(l, m, k); err != nil {
		return v, nil, err
	}
	if v.train, err = predict.NewTrainingSet(ctx, l, 1, workers, index.NoProgress{}); err != nil {
		return v, nil, err
	}
	v.test = linear.NewMatrix(l.Features(), 0)
	in, err := q.open(q.test, l.ReaderSymbols())
	if err != nil {
		return v, nil, err
	}
	err = l.NewStream(ctx, rowAppender{v.test}, linearize.StreamOptions{Workers: workers}).Run(in)
	return v, w, errors.Join(err, in.Close())
}

// rowAppender is a vector.Writer that appends vectors to a matrix as rows.
type rowAppender struct{ m *linear.Matrix }

func (w rowAppender) Write(v *vector.Vector) error {
	w.m.Append(v.ID, v.Value)
	return nil
}

func (rowAppender) Flush() error { return nil }

func (rowAppender) Close() error { return nil }

// gradient returns the weights of machine k over the features of l (PM10, eq. 6).
func gradient(l *linearize.Linearizer, m *svm.Model, k int) ([]float64, error) {
	w := make([]float64, l.Features()+1)
	w[0] = m.Machines[k].Bias
	worker := l.NewWorker()
	var x vector.Vector
	for i := range m.Vectors {
		v := &m.Vectors[i]
		if v.Weights[k] == 0 {
			continue
		}
		if err := worker.Features(&v.Tree, &x); err != nil {
			return nil, err
		}
		for j, id := range x.ID {
			w[id] += float64(v.Weights[k] * x.Value[j])
		}
	}
	return w, nil
}

// scores returns the score of each test question under the weights w. w[0] is the bias.
func (v *vectors) scores(w []float64) (all []float64) {
	for i := range v.test.Rows() {
		all = append(all, w[0]+v.test.Dot(i, w))
	}
	return all
}

// retrained trains a linear model of one class against the rest and returns its weights.
func (v *vectors) retrained(ctx context.Context, class string, c float64, workers int) ([]float64, error) {
	l, err := linear.Lookup(linearLearner)
	if err != nil {
		return nil, err
	}
	m, _, err := linear.Train(ctx, l, &v.train.Samples, linear.Options{C: c, Positive: class, Workers: workers})
	if err != nil {
		return nil, err
	}
	w := make([]float64, v.train.X.Columns)
	for i, id := range m.ID {
		w[id] = m.Weight[i]
	}
	return w, nil
}

const linearLearner = "l2-logistic"
