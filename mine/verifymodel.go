package mine

import (
	"fmt"

	"fstore/mine/svm"
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
	m, err := svm.Decode(b, v.syms)
	switch {
	case err != nil:
		v.problem("model %s: %v", info.Name, err)
	case m.Space.ID() != info.Kernel:
		v.problem("model %s: the record says kernel %s, the model %s", info.Name, info.Kernel, m.Space.ID())
	}
	return nil
}
