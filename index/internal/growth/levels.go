package growth

// Levels hold what each depth of growth, or of a walk, keeps while the depths below it are visited.
type Levels[T any] []*T

// At returns the level of depth n. The first call for a depth makes it.
func (l *Levels[T]) At(n int) *T {
	for n >= len(*l) {
		*l = append(*l, new(T))
	}
	return (*l)[n]
}
