package growth

// Levels are what each depth of growth, or of a walk, keeps while what is below it is visited.
type Levels[T any] []*T

// At returns that of depth n, made when it is first asked for.
func (l *Levels[T]) At(n int) *T {
	for n >= len(*l) {
		*l = append(*l, new(T))
	}
	return (*l)[n]
}
