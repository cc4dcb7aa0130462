package judge

import "fstore/index"

// Objective selects fragments (mine/README.md, "Bounds"). It gives each fragment a score, and says when no
// fragment below it can reach the threshold. Each objective has its own file, such as support.go.
//
// Several workers call Judge at once. State that they share needs a lock. State of one worker goes into
// Verdicts.Own, and Flush gathers it (see Counting).
type Objective interface {
	// Columns returns the names of a fragment's statistics, without support and occurrences.
	Columns() []string
	// Weights returns the weights of samples. Growth adds up those of each fragment's samples, by sign, in
	// Batch.A and Batch.B. Weights is empty if Judge needs no such sums.
	Weights() index.Weights
	// Samples says whether Judge reads Batch.Sample.
	Samples() bool
	// Judge judges the extensions of b. For an extension whose |score| is at least the parameter least, it
	// sets Keep, Score, Weight and Stats in v. It sets Descend in b to false only if no strict descendant of
	// the extension can reach that number. The caller can still drop a kept extension, or end a branch.
	Judge(b *index.Batch, least float64, v *Verdicts)
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

// Counting is implemented by objectives that add up counts of several workers.
type Counting interface {
	// Flush adds the counts that are still in a worker's Verdicts. It is called when the worker has judged
	// all its fragments.
	Flush(v *Verdicts)
}

// Begin makes room for n extensions with this number of statistics each. All verdicts are false, and all
// numbers are 0.
func (v *Verdicts) Begin(n, stats int) {
	v.Keep = Zeroed(v.Keep, n)
	v.Score = Zeroed(v.Score, n)
	v.Weight = Zeroed(v.Weight, n)
	v.Stats = Zeroed(v.Stats, n*stats)
}

// Zeroed returns n zero values. It uses the memory of s if that suffices.
func Zeroed[T any](s []T, n int) []T {
	return append(s[:0], make([]T, n)...)
}

// BoundSlack widens a bound that is computed in floating point. So rounding cannot prune a fragment that is
// exactly at a threshold (mine/README.md, "Determinism").
const BoundSlack = 1 - 1e-9
