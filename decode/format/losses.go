package format

// Losses count what a format has no place for, and its writer changed or left out.
type Losses struct {
	Names   int // labels and words that were changed
	Vectors int // vectors that were left out
	Tops    int // samples of no tree or of several, which got a node TOP
}

// Add adds o to l.
func (l *Losses) Add(o Losses) {
	l.Names += o.Names
	l.Vectors += o.Vectors
	l.Tops += o.Tops
}
