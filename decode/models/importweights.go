package models

import (
	"fmt"
	"slices"

	"fstore/decode/format"
	"fstore/decode/linearize"
	"fstore/decode/models/weights"
	"fstore/decode/predict"
	"fstore/decode/read"
	"fstore/index"
	"fstore/mine/learn/classes"
	"fstore/mine/learn/linear"
)

// IsWeights says whether ReadWeights can read a file that starts with head.
func IsWeights(head []byte) bool { return weights.IsLIBLINEAR(head) || weights.IsTable(head) }

// liblinearHead is the number of bytes by which a model file of LIBLINEAR is recognised.
const liblinearHead = 64

// ReadWeights reads a model for the vectors of l, from a model file of LIBLINEAR or from lines `id [TAB
// class] TAB weight`. The classes are labels of the store or their numbers (LabelNumbers). If the file has no
// classes, `positive` is the label with positive scores, see classes.Plan. A wrong file is an
// *index.InputError.
func ReadWeights(f *read.File, l *linearize.Linearizer, positive string) (*linear.Model, error) {
	read := weights.ReadTable
	if weights.IsLIBLINEAR(f.Head(liblinearHead)) {
		read = weights.ReadLIBLINEAR
	}
	m, err := read(f, f.Name)
	if err != nil {
		return nil, err
	}
	bad := func(form string, args ...any) error {
		return &index.InputError{File: f.Name, Msg: fmt.Sprintf(form, args...), Fatal: true}
	}
	if m.Features > l.Features() {
		return nil, bad("weights of %d features: expected %d at most, those of the store's vectors", m.Features, l.Features())
	}
	switch {
	case len(m.Labels) == 0:
		labels, n, err := classes.Plan(l.Numbering.Names, positive)
		if err != nil {
			return nil, err
		}
		if n > 1 {
			return nil, index.Usagef("the weights have no classes: name the label of positive scores with --positive (%s)", classes.List(l.Numbering.Names))
		}
		m.Labels = labels
	case positive != "":
		return nil, index.Usagef("the weights have classes: no label of positive scores can be chosen")
	}
	for k, class := range m.Labels {
		if class == "" {
			continue // any other label
		}
		label, ok := l.Numbering.LabelOf(class)
		if !ok {
			return nil, bad("the class %s is no label of the store, and no number of one", format.Quote([]byte(class)))
		}
		if slices.Contains(m.Labels[:k], label) {
			return nil, bad("two classes are the label %s", format.Quote([]byte(label)))
		}
		m.Labels[k] = label
	}
	m.Features, m.Vectors = l.Features(), predict.VectorsOf(l)
	return m, nil
}
