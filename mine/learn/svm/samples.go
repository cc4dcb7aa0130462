package svm

import (
	"context"

	"fstore/index"
	"fstore/store"
)

// samples are the labelled samples of a store, prepared for the kernel.
type samples struct {
	id     []uint32
	labels [][]string // by sample
	rest   uint32     // the number of samples that have no label
	trees  *trees
}

// readSamples prepares the labelled samples of a store. A sample too large for the kernel is an error.
func readSamples(ctx context.Context, st *store.Store, k Config, workers int, progress index.Progress) (*samples, error) {
	syms, err := st.Symbols()
	if err != nil {
		return nil, err
	}
	s := &samples{}
	kernel := k.New(syms)
	all := st.Meta().Samples
	progress.Step("read", "samples", int64(all))
	var prepared []any
	err = st.Samples(0, all, func(id uint32, t *index.Tree) error {
		progress.Add(1)
		if id&0xFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		var labels []string
		index.SplitLabels(t.Label, func(label string) { labels = append(labels, label) })
		if len(labels) == 0 {
			s.rest++
			return nil
		}
		p, err := kernel.Prepare(t)
		if err != nil {
			return &index.InputError{File: t.Name, Msg: err.Error()}
		}
		s.id, prepared, s.labels = append(s.id, id), append(prepared, p), append(s.labels, labels)
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.trees, err = newTrees(ctx, k, syms, prepared, workers)
	return s, err
}

// model makes a model in which weights[k][i] is the weight of sample i in machine k. It leaves out samples
// that no machine uses.
func (s *samples) model(st *store.Store, labels []string, weights [][]float64, machines []Machine) (*Model, error) {
	meta := st.Meta()
	m := &Model{Config: s.trees.Config, Kind: meta.Kind, OneAlphabet: meta.OneAlphabet, Labels: labels, Machines: machines}
	number := make([]uint32, len(s.id))
	used := make([]bool, len(s.id))
	for i := range s.id {
		for k := range machines {
			used[i] = used[i] || weights[k][i] != 0
		}
	}
	for _, x := range machines {
		for _, step := range x.Steps {
			used[step.Vector] = true
		}
	}
	for i, id := range s.id {
		if !used[i] {
			continue
		}
		number[i] = uint32(len(m.Vectors))
		v := Vector{}
		if err := st.Sample(id, &v.Tree); err != nil {
			return nil, err
		}
		for k := range machines {
			v.Weights = append(v.Weights, weights[k][i])
		}
		m.Vectors = append(m.Vectors, v)
	}
	for _, x := range machines {
		for n := range x.Steps {
			x.Steps[n].Vector = number[x.Steps[n].Vector]
		}
	}
	return m, nil
}
