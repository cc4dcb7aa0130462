package maintain

import (
	"fmt"

	"fstore/mine/learn/rerank"
	"fstore/mine/learn/svm"
	"fstore/store"
)

// model checks that a kernel machine can be read, and that its record says what it is.
func (v *verifier) model(info *store.ModelInfo) error {
	if info.Kernel == "" {
		return nil
	}
	b, err := v.s.Model(info.Name)
	if err != nil {
		return fmt.Errorf("model %s: %w", info.Name, err)
	}
	kernel, err := v.kernelOf(b, info.Learner)
	switch {
	case err != nil:
		v.problem("model %s: %v", info.Name, err)
	case kernel != info.Kernel:
		v.problem("model %s: the record says kernel %s, the model %s", info.Name, info.Kernel, kernel)
	}
	return nil
}

// kernelOf reads a model, and returns the space of its kernel.
func (v *verifier) kernelOf(b []byte, learner string) (string, error) {
	if learner == rerank.LearnerKernel {
		m, err := rerank.DecodeKernel(b, v.syms)
		if err != nil {
			return "", err
		}
		return m.Space.ID(), nil
	}
	m, err := svm.Decode(b, v.syms)
	if err != nil {
		return "", err
	}
	return m.Space.ID(), nil
}
