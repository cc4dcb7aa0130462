package models

import (
	"fmt"
	"io"

	"fstore/decode/format/svmtk"
	"fstore/decode/read"
	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/learn/svm"
)

// ReadKernelModel reads a model file of SVM-Light-TK. The labels of the model are +1 and -1. Names are
// interned into o.Symbols. A wrong file is an *index.InputError.
func ReadKernelModel(r io.Reader, o read.Options) (*svm.Model, error) {
	in, err := svmtk.OpenModel(r, o)
	if err != nil {
		return nil, err
	}
	head := in.Model
	space, err := spaces.Parse(head.Space)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.File, err)
	}
	m := &svm.Model{
		Config: svm.Config{Space: space.Space, Lambda: head.Lambda, Normalize: head.Normalize},
		Kind:   index.Constituency, OneAlphabet: true,
		Labels:   []string{"+1", "-1"}, // the only labels of SVM-Light-TK
		Machines: []svm.Machine{{Bias: -head.Threshold}},
	}
	var t index.Tree
	for {
		weight, err := in.Next(&t)
		if err == io.EOF {
			return m, nil
		}
		if err != nil {
			return nil, err
		}
		v := svm.Vector{Tree: *t.Clone(), Weights: []float64{weight}}
		v.Tree.Vectors, v.Tree.Comments = nil, nil // the kernel does not use them
		m.Vectors = append(m.Vectors, v)
	}
}
