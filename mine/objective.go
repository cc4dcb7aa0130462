package mine

import (
	"slices"

	"fstore/index"
)

// Objective is what fragments are selected by (ALGORITHMS.md §3): it gives each a
// score, and tells where none below can have a larger one. It is stateless once made,
// and shared by the workers. Each is one file: support.go, chi2.go.
type Objective interface {
	// Name is the objective's, as in --by.
	Name() string
	// Columns name the statistics of a fragment beyond its support and occurrences.
	Columns() []string
	// Weights are what Judge finds summed by sign in Batch.A and B; none where it needs
	// no sums.
	Weights() index.Weights
	// Samples says whether Judge reads Batch.Sample.
	Samples() bool
	// Judge judges the extensions of b: it sets v's Keep where |Score| is at least
	// least, and Score, Weight and Stats of what is kept; and b's Descend, to false only
	// where no strict descendant has a |score| of least or more. An extension that is
	// kept not, or not descended into, for other reasons may be judged all the same.
	Judge(b *index.Batch, least float64, v *Verdicts)
}

// Verdicts are what an Objective says of the extensions of a batch. They belong to one
// worker, which uses them again for each batch.
type Verdicts struct {
	Keep   []bool
	Score  []float64
	Weight []float64 // in the model that selects; 0 where there is none
	Stats  []float64 // as Columns names them, of one extension after the other

	room     []uint32  // for an objective's own counts
	supports *supports // of objectives that are counting
}

// counting is implemented by objectives that gather what their workers counted.
type counting interface {
	// flush takes what is left in a worker's Verdicts; it is called once it has judged all.
	flush(v *Verdicts)
}

// begin makes room for n extensions, all false and 0, with so many statistics each.
func (v *Verdicts) begin(n, stats int) {
	v.Keep = zeroed(v.Keep, n)
	v.Score = zeroed(v.Score, n)
	v.Weight = zeroed(v.Weight, n)
	v.Stats = zeroed(v.Stats, n*stats)
}

// zeroed is s with n zero values, in its memory where that suffices.
func zeroed[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// boundSlack widens a bound that is computed in floating point, so that no rounding
// prunes what is exactly at a threshold (ALGORITHMS.md §3, determinism).
const boundSlack = 1 - 1e-9
