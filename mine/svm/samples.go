package svm

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"fstore/index"
	"fstore/store"
)

// samples are the labelled samples of a store, prepared.
type samples struct {
	id     []uint32
	labels [][]string // of each
	names  []string   // all labels, in byte order
	rest   uint32     // samples without a label
	trees  *trees
}

// readSamples prepares the labelled samples of a store. Where one is too large for the
// kernel, the error is an *index.InputError that names it.
func readSamples(ctx context.Context, st *store.Store, k Kernel, workers int, progress index.Progress) (*samples, error) {
	syms, err := st.Symbols()
	if err != nil {
		return nil, err
	}
	s := &samples{}
	kernel := k.Space.NewKernel(syms, k.Lambda)
	all := st.Meta().Samples
	progress.Step("read", "samples", int64(all))
	var prepared []any
	seen := map[string]bool{}
	err = st.Samples(0, all, func(id uint32, t *index.Tree) error {
		progress.Add(1)
		if id&0xFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		var labels []string
		store.SplitLabels(t.Label, func(label string) { labels = append(labels, label) })
		if len(labels) == 0 {
			s.rest++
			return nil
		}
		p, err := kernel.Prepare(t)
		if err != nil {
			return &index.InputError{File: t.Name, Msg: err.Error()}
		}
		s.id, prepared, s.labels = append(s.id, id), append(prepared, p), append(s.labels, labels)
		for _, label := range labels {
			if !seen[label] {
				seen[label] = true
				s.names = append(s.names, label)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(s.names)
	s.trees, err = newTrees(ctx, k, syms, prepared, workers)
	return s, err
}

// LabelsError says that labels do not make a problem: wrong usage.
type LabelsError struct{ Msg string }

func (e *LabelsError) Error() string { return e.Msg }

// machines returns the labels of a model as Model.Labels has them, with positive or,
// where that is "", one machine for each label; of two labels the positive one is the
// larger number or, where they are none, the first in byte order.
func (s *samples) machines(positive string) (labels []string, n int, err error) {
	switch {
	case len(s.names) == 0:
		return nil, 0, &LabelsError{"no sample has a label: there is nothing to learn"}
	case len(s.names) == 1:
		return nil, 0, &LabelsError{fmt.Sprintf("the samples have no label but %s: there is nothing to tell it from", s.names[0])}
	case positive != "" && !slices.Contains(s.names, positive):
		return nil, 0, &LabelsError{fmt.Sprintf("no sample has the label %s", positive)}
	case positive != "" && len(s.names) > 2:
		return []string{positive, ""}, 1, nil
	case len(s.names) > 2:
		return s.names, len(s.names), nil
	}
	labels = slices.Clone(s.names)
	a, errA := strconv.ParseFloat(labels[0], 64)
	b, errB := strconv.ParseFloat(labels[1], 64)
	if positive == labels[1] || positive == "" && errA == nil && errB == nil && b > a {
		slices.Reverse(labels)
	}
	return labels, 1, nil
}

// signs are 1 for the samples with a label and −1 for the others.
func (s *samples) signs(label string) []float64 {
	y := make([]float64, len(s.id))
	for i, all := range s.labels {
		y[i] = -1
		if slices.Contains(all, label) {
			y[i] = 1
		}
	}
	return y
}

// model makes a model of weights by machine and sample, of which those that are not 0
// in all machines become vectors; steps are renumbered.
func (s *samples) model(st *store.Store, labels []string, weights [][]float64, machines []Machine) (*Model, error) {
	meta := st.Meta()
	m := &Model{Kernel: s.trees.Kernel, Kind: meta.Kind, OneAlphabet: meta.OneAlphabet, Labels: labels, Machines: machines}
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
