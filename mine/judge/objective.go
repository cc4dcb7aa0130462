package judge

import "fstore/index"

// Objective is what fragments are selected by (mine/README.md, "Bounds"): it gives each a
// score, and tells where none below can have a larger one. Each is one file: support.go,
// chi2.go.
//
// Several workers call Judge at once. State that they share needs a lock. State of one worker
// goes into Verdicts.Own, and Flush gathers it (see Counting).
type Objective interface {
	// Columns name the statistics of a fragment beyond its support and occurrences.
	Columns() []string
	// Weights are what Judge finds summed by sign in Batch.A and B; none where it needs
	// no sums.
	Weights() index.Weights
	// Samples says whether Judge reads Batch.Sample.
	Samples() bool
	// Judge judges the extensions of b. It sets v's Keep where |Score| is at least least,
	// and Score, Weight and Stats of what is kept. It sets b's Descend, to false only where
	// no strict descendant has a |score| of least or more. The caller may drop an extension
	// that is kept, or end a branch, for reasons of its own.
	Judge(b *index.Batch, least float64, v *Verdicts)
}

// Plain is for an Objective to embed that has no columns, needs no sums and reads no samples.
type Plain struct{}

func (Plain) Columns() []string { return nil }

func (Plain) Weights() index.Weights { return index.Weights{} }

func (Plain) Samples() bool { return false }

// Verdicts are what an Objective says of the extensions of a batch. They belong to one
// worker, which uses them again for each batch.
type Verdicts struct {
	Keep   []bool
	Score  []float64
	Weight []float64 // in the model that selects; 0 where there is none
	Stats  []float64 // as Columns names them, of one extension after the other

	Room []uint32 // for an objective's own counts
	Own  any      // what a Counting objective keeps for each worker
}

// Counting is implemented by objectives that gather what their workers counted.
type Counting interface {
	// Flush takes what a worker's Verdicts still hold, after the worker has judged all.
	Flush(v *Verdicts)
}

// Begin makes room for n extensions, all false and 0, with so many statistics each.
func (v *Verdicts) Begin(n, stats int) {
	v.Keep = Zeroed(v.Keep, n)
	v.Score = Zeroed(v.Score, n)
	v.Weight = Zeroed(v.Weight, n)
	v.Stats = Zeroed(v.Stats, n*stats)
}

// Zeroed is s with n zero values, in its memory where that suffices.
func Zeroed[T any](s []T, n int) []T {
	return append(s[:0], make([]T, n)...)
}

// BoundSlack widens a bound that is computed in floating point, so that no rounding
// prunes what is exactly at a threshold (mine/README.md, "Determinism").
const BoundSlack = 1 - 1e-9
