package judge

import "fstore/index"

// Objective selects fragments (mine/README.md, "Bounds"). It gives each fragment a score, and says when no
// fragment below it can reach the threshold. Package selection has the objectives.
//
// Several workers call Judge at the same time. State that they share needs a lock. State of one worker must
// be kept in Verdicts.Own, from where Flush collects it (see Counting).
type Objective interface {
	// Columns returns the names of a fragment's statistics, without support and occurrences.
	Columns() []string
	// Weights returns the weights of samples. For each fragment, growth adds up the positive weights of its
	// samples in Batch.A, and the negative ones in Batch.B. Weights is empty if Judge needs no such sums.
	Weights() index.Weights
	// Samples says whether Judge reads Batch.Sample.
	Samples() bool
	// Judge judges the extensions of b. If the |score| of an extension reaches threshold, it sets Keep,
	// Score, Weight and Stats in v. It sets Descend in b to false only if no strict descendant of the
	// extension reaches threshold. The caller can still drop a kept extension, or end a branch.
	Judge(b *index.Batch, threshold float64, v *Verdicts)
}

// Plain can be embedded in an Objective that has no columns, needs no sums and reads no samples.
type Plain struct{}

func (Plain) Columns() []string { return nil }

func (Plain) Weights() index.Weights { return index.Weights{} }

func (Plain) Samples() bool { return false }

// Verdicts hold the verdicts of an Objective on the extensions of a batch. They belong to one worker, which
// reuses them for each batch.
type Verdicts struct {
	Keep   []bool
	Score  []float64
	Weight []float64 // weight in the model that selects; 0 if there is none
	Stats  []float64 // statistics of one extension after another, in the order of Columns

	Room []uint32 // memory for an objective's own counts
	Own  any      // data that a Counting objective keeps for each worker
}

// Counting is implemented by objectives that add up counts over several workers.
type Counting interface {
	// Flush adds the counts in a worker's Verdicts to those of all workers. It is called when the worker has
	// judged all its fragments.
	Flush(v *Verdicts)
}

// Begin prepares v for n extensions with this number of statistics each. It sets all verdicts to false, and
// all numbers to 0.
func (v *Verdicts) Begin(n, stats int) {
	v.Keep = Zeroed(v.Keep, n)
	v.Score = Zeroed(v.Score, n)
	v.Weight = Zeroed(v.Weight, n)
	v.Stats = Zeroed(v.Stats, n*stats)
}

// Zeroed returns n zero values. It reuses the memory of s if that suffices.
func Zeroed[T any](s []T, n int) []T {
	return append(s[:0], make([]T, n)...)
}

// BoundSlack widens a bound that is computed in floating point. So a rounding error cannot prune a fragment
// that is exactly at a threshold (mine/README.md, "Determinism").
const BoundSlack = 1 - 1e-9
