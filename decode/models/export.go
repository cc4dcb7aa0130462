// Package models reads and writes model files of other programs: SVM-Light-TK and LIBLINEAR.
package models

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"fstore/decode/format/svmtk"
	"fstore/decode/models/weights"
	"fstore/decode/read"
	"fstore/index"
	"fstore/mine/learn/linear"
	"fstore/mine/learn/rerank"
	"fstore/mine/learn/svm"
	"fstore/mine/query"
	"fstore/store"
)

// ExportOptions say how a model is written.
type ExportOptions struct {
	// LIBLINEAR says that a linear model is written as a model file of LIBLINEAR, not as a table of weights.
	LIBLINEAR bool
	// Positive is a label. If a model has several kernel machines, the machine of this label is written.
	Positive string
}

// ExportModel writes a model of a store for other programs, which then decide as fstore does:
//   - a linear model: a table, or a model file of LIBLINEAR (see ReadWeights)
//   - a kernel machine: a model file of SVM-Light-TK (see ReadKernelModel)
//   - other models: an *index.UsageError
func ExportModel(out io.Writer, s *store.Store, name string, o ExportOptions) error {
	info := s.Meta().Model(name)
	b, err := s.Model(name)
	if err != nil {
		return err
	}
	if rerank.IsLinear(info.Learner) || info.Learner == rerank.LearnerKernel {
		return index.Usagef("model %s is a reranker: other programs have no such models", name)
	}
	if info.Kernel != "" {
		if o.LIBLINEAR {
			return index.Usagef("model %s is a kernel machine: it is written as SVM-Light-TK's", name)
		}
		return exportKernel(out, s, info, b, o.Positive)
	}
	m, err := linear.Decode(b)
	if err != nil {
		return query.DamagedModel(s, name, err)
	}
	if o.Positive != "" {
		return index.Usagef("the label of a machine is named of kernel machines: a linear model is written with all of its classes")
	}
	err = exportLinear(out, s, info, m, o.LIBLINEAR)
	if form, ok := errors.AsType[*index.UsageError](err); ok {
		return index.Usagef("model %s: %v", name, form)
	}
	return err
}

func exportLinear(out io.Writer, s *store.Store, info *store.ModelInfo, m *linear.Model, liblinear bool) error {
	if !liblinear {
		return weights.WriteTable(out, m)
	}
	labels, err := s.Labels()
	if err != nil {
		return err
	}
	numbering := read.NumberLabels(labels...)
	numbers := make([]string, len(m.Labels))
	for k, label := range m.Labels {
		numbers[k], _ = numbering.Number(label)
	}
	return weights.WriteLIBLINEAR(out, m, cmp.Or(solvers[info.Learner], "L2R_L2LOSS_SVC"), numbers)
}

// solvers maps each learner to LIBLINEAR's name for it. Decisions do not depend on the name.
var solvers = map[string]string{"l1-svm": "L1R_L2LOSS_SVC", "l1-logistic": "L1R_LR", "l2-logistic": "L2R_LR"}

func exportKernel(out io.Writer, s *store.Store, info *store.ModelInfo, b []byte, label string) error {
	bad := func(err error) error { return index.Usagef("model %s: %v", info.Name, err) }
	if info.Selection != "" {
		return bad(fmt.Errorf("its kernel runs over the selection %s alone", info.Selection))
	}
	syms, err := s.Symbols()
	if err != nil {
		return err
	}
	m, err := svm.Decode(b, syms)
	if err != nil {
		return query.DamagedModel(s, info.Name, err)
	}
	k, err := m.MachineOf(label)
	if err != nil {
		return err
	}
	var vectors []*svm.Vector
	for i := range m.Vectors {
		if v := &m.Vectors[i]; v.Weights[k] != 0 {
			vectors = append(vectors, v)
		}
	}
	head := svmtk.Model{Space: m.Space.ID(), Lambda: m.Lambda, Normalize: m.Normalize, Threshold: -m.Machines[k].Bias}
	text, err := svmtk.AppendHead(nil, head, len(vectors))
	for i := 0; err == nil && i < len(vectors); i++ {
		if _, err := out.Write(text); err != nil {
			return err
		}
		text, err = svmtk.AppendVector(text[:0], head, vectors[i].Weights[k], &vectors[i].Tree, syms)
	}
	if err != nil {
		return bad(err)
	}
	_, err = out.Write(text)
	return err
}
