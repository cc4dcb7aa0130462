package gradient

import (
	"cmp"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/store"
)

// Route is the way in which fragments are found. All routes have the same result.
type Route uint8

const (
	// DepthFirst grows fragments together with their occurrences.
	DepthFirst Route = iota
	// Bloom counts only the candidates that a spectral Bloom filter has seen often enough (Qian & Liu 2015,
	// §4.2).
	Bloom
	// Bitmap counts only the candidates whose parts occur together often enough (mine/README.md, "Bounds").
	Bitmap
)

// Keep says which fragments a result has.
type Keep uint8

const (
	// KeepWeights keeps the fragments that have a weight at the end.
	KeepWeights Keep = iota
	// KeepFeatures keeps all features of the last iteration, for another learner (Qian & Liu 2015, §6.1).
	KeepFeatures
)

// String returns the name that settings record.
func (k Keep) String() string { return [...]string{"weights", "features"}[k] }

// Options say how to mine. Space, Symbols, Tree and FS are required. SetDefaults says what the value 0 of
// another field means.
type Options struct {
	Space   index.Space
	Symbols *index.Symbols
	// Tree reads a sample. Several goroutines can call it at the same time.
	Tree func(sample uint32, t *index.Tree) error

	C          uint32  // the price of the norm; also, a fragment must occur in more than C samples of one side
	MaxOrder   int     // the largest number of building blocks of a fragment; 0 is any
	Iterations int     // the largest number of iterations
	Update     Update  // the rule for the weights
	Keep       Keep    // which fragments the result has
	Step       float64 // the first step α to try; with Literal, every α

	Route Route
	// BloomCounters is the number of counters of the Bloom filter. BloomBits is the least number of bits of a
	// counter.
	BloomCounters uint64
	BloomBits     uint

	FS  vfs.FS
	Dir string // the directory for scratch files, which must exist
	// Memory is how many bytes of an iteration's features stay in memory; further features go to Dir. With
	// Bloom and Bitmap, sorting the candidates can take as much memory again. Other data take memory, too:
	//   - packed trees (index.Packing): about 12 bytes for each feature of an arc
	//   - the Bloom filter
	//   - the scores: 8 bytes for each candidate and worker, and as many again for each step size that moves
	//     a weight across 0
	//   - features that had a weight before: 8 bytes each
	//
	// Mapped files take memory until the end of each range:
	//   - the index: about 11 bytes a fragment
	//   - gradients: 4 bytes for each fragment that has or can get a weight
	//   - weights: 8 more bytes for each such fragment, if some fragments had a weight before
	//
	// Checkpoint takes further room on disk.
	Memory  int64
	Workers int

	// Checkpoint says where the state is saved, and from where the run continues; nil saves nothing.
	Checkpoint *Checkpoint

	// Log is called after each iteration, also for iterations that an earlier run has made. It can be nil.
	Log      func(*Iteration) error
	Progress index.Progress

	unpacked bool // tests set it, to use no packed forests
}

// Checkpoint says where a run saves its state, so that a later run can continue with the same result. The
// state is the model after an iteration, and the finished parts of the next iteration. A run with another Key
// removes the parts of earlier runs, but not their models.
type Checkpoint struct {
	Writer *store.Writer
	Key    uint64 // a hash of everything on which the result depends
	// Every is the time between two saves, and the time before the first save.
	Every time.Duration

	clock func() time.Time // replaced in tests; nil is time.Now
}

// Defaults of Options.
const (
	DefaultIterations = 10
	// DefaultBloomCounters take 16 MiB for C = 3.
	DefaultBloomCounters = 1 << 26
)

// SetDefaults gives Iterations, BloomCounters, Step, Workers and Progress their defaults if they are zero. In
// other fields 0 is a value: with Memory 0, no features stay in memory.
func (o *Options) SetDefaults() {
	o.Iterations = cmp.Or(o.Iterations, DefaultIterations)
	o.BloomCounters = cmp.Or(o.BloomCounters, DefaultBloomCounters)
	o.Step = cmp.Or(o.Step, 1)
	o.Workers = index.Workers(o.Workers)
	o.Progress = cmp.Or[index.Progress](o.Progress, index.NoProgress{})
}
