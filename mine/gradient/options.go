package gradient

import (
	"cmp"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
)

// Route is the way in which fragments are found. All routes have the same result.
type Route uint8

const (
	// DepthFirst grows fragments together with their occurrences.
	DepthFirst Route = iota
	// Bloom lists candidates order by order. It counts only those that a spectral Bloom filter has seen often
	// enough (Qian & Liu 2015, §4.2).
	Bloom
	// Bitmap lists candidates order by order. It counts only those whose parts occur together often enough
	// (mine/README.md, "Bounds").
	Bitmap
)

// Keep says which fragments a result has.
type Keep uint8

const (
	// KeepWeights keeps the fragments that have a weight at the end.
	KeepWeights Keep = iota
	// KeepFeatures keeps all features of the last iteration, most of which may have no weight. Qian & Liu
	// (2015, §6.1) train another learner over these.
	KeepFeatures
)

// String returns the name.
func (k Keep) String() string { return [...]string{"weights", "features"}[k] }

// Options say how to mine. Space, Symbols, Tree and FS are required. For the others, see SetDefaults about
// the value 0.
type Options struct {
	Space   index.Space
	Symbols *index.Symbols
	// Tree reads a sample. Several goroutines may call it at the same time.
	Tree func(sample uint32, t *index.Tree) error

	C          uint32  // the price of the norm; also, a fragment must have more than C samples of one side
	MaxOrder   int     // the largest number of building blocks of a fragment; 0 is any
	Iterations int     // the largest number of iterations
	Update     Update  // the rule for the weights
	Keep       Keep    // which fragments the result has
	Step       float64 // the first step α to try; with Literal, every α

	Route Route
	// BloomCounters is the number of counters of the Bloom filter. BloomBits is the bits of each, or more if
	// C needs them.
	BloomCounters uint64
	BloomBits     uint

	FS  vfs.FS
	Dir string // the directory for scratch files, which must exist
	// Memory limits the features of an iteration in memory, in bytes; beyond that they go to Dir. Sorting the
	// candidates of Bloom and Bitmap may take as much again.
	//
	// Further memory is for the trees (as packs, about 12 bytes for each feature of an arc), for the Bloom
	// filter, and for scores: 8 bytes a candidate for each worker, times the number of steps if weights would
	// cross 0. Each feature that had a weight before takes 8 bytes.
	//
	// Mapped files, whose pages are released after each range, are the index (about 11 bytes a fragment), and
	// the gradients and weights of fragments that have or may get a weight: 4 bytes each, or 12 if some had a
	// weight before.
	//
	// The data that Checkpoint saves takes further room on disk.
	Memory  int64
	Workers int

	// Checkpoint says where the state is saved, and from where the run continues. nil saves nothing.
	Checkpoint *Checkpoint

	// Log is called after each iteration, also for those that an earlier run has made. It may be nil.
	Log      func(*Iteration) error
	Progress index.Progress

	unpacked bool // set in tests: use no packed forests
}

// Defaults of Options.
const (
	DefaultIterations = 10
	// DefaultBloomCounters take 16 MiB for C = 3.
	DefaultBloomCounters = 1 << 26
)

// SetDefaults replaces zero fields by their defaults: Iterations and BloomCounters by the constants, Step by
// 1, Workers by one a processor, Progress by none. In other fields 0 is a value: a Memory of 0 keeps no
// features in memory.
func (o *Options) SetDefaults() {
	o.Iterations = cmp.Or(o.Iterations, DefaultIterations)
	o.BloomCounters = cmp.Or(o.BloomCounters, DefaultBloomCounters)
	o.Step = cmp.Or(o.Step, 1)
	o.Workers = index.Workers(o.Workers)
	o.Progress = cmp.Or[index.Progress](o.Progress, index.NoProgress{})
}
