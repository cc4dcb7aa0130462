package decode

import "fstore/index"

// spaced is implemented by models that know the spaces they read trees by.
type spaced interface{ Spaces() []index.Space }

// Spaces returns the spaces of the features, in order.
func (l *Linearizer) Spaces() (all []index.Space) {
	for i := range l.o.Features {
		all = append(all, l.o.Features[i].Space)
	}
	return all
}

// Spaces implements spaced.
func (m *LinearModel) Spaces() []index.Space { return m.l.Spaces() }

// Spaces implements spaced.
func (k *kernelModel) Spaces() []index.Space { return []index.Space{k.m.Space} }

// Spaces implements spaced.
func (k *kernelReranker) Spaces() []index.Space { return []index.Space{k.m.Space} }

// tellSpaces tells src what the model makes of its trees.
func tellSpaces(src, m any) {
	if s, ok := m.(spaced); ok {
		index.Tell(src, s.Spaces()...)
	}
}
