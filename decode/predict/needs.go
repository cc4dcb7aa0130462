package predict

import (
	"fstore/index"
)

// spaced is implemented by models that know the spaces they read trees by.
type spaced interface{ Spaces() []index.Space }

// Spaces implements spaced.
func (m *LinearModel) Spaces() []index.Space { return m.L.Spaces() }

func (k *kernelModel) Spaces() []index.Space { return []index.Space{k.m.Space} }

// TellSpaces tells src what the model makes of its trees.
func TellSpaces(src, m any) {
	if s, ok := m.(spaced); ok {
		index.Tell(src, s.Spaces()...)
	}
}
