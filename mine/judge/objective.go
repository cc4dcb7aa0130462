package judge

import "fstore/index"

// Objective selects fragments (mine/README.md, "Bounds"). It gives each fragment a score, and says when no
// fragment below it can reach the threshold.
//
// Several workers call Judge at the same time. Shared state needs a lock. State of one worker must be kept in
// Verdicts.Own, see Counting.
type Objective interface {
	// Columns returns the names of a fragment's statistics, without support and occurrences.
	Columns() []string
	// Weights returns the weights of samples, or none if Judge needs no sums. For each fragment, growth adds
	// up the positive weights in Batch.A, and the negative ones in Batch.B.
	Weights() index.Weights
	// Samples says whether Judge reads Batch.Sample.
	Samples() bool
	// Judge judges the extensions of b. It sets Keep, Score, Weight and Stats in v for those whose |score|
	// reaches threshold. It must set b.Descend[i] if a fragment below extension i can reach threshold.
	Judge(b *index.Batch, threshold float64, v *Verdicts)
}

// Plain can be embedded in an Objective that has no columns, needs no sums and reads no samples.
type Plain struct{}

func (Plain) Columns() []string { return nil }

func (Plain) Weights() index.Weights { return index.Weights{} }

func (Plain) Samples() bool { return false }

// Verdicts hold the verdicts of an Objective on the extensions of a batch. Each worker has its own Verdicts,
// and reuses them.
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
	// Flush adds the counts of one worker to those of all workers. It is called when the worker has judged
	// all its fragments.
	Flush(v *Verdicts)
}

// Begin makes room in v for n extensions, and sets all verdicts and numbers to zero values.
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

// BoundSlack widens a computed bound, so that a rounding error does not prune a fragment exactly at a
// threshold (mine/README.md, "Determinism").
const BoundSlack = 1 - 1e-9
