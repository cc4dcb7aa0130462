package gradient

import (
	"cmp"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
)

// Route is how fragments are found. All give the same.
type Route uint8

const (
	// DepthFirst grows them, with where they occur.
	DepthFirst Route = iota
	// Bloom lists candidates order by order, and counts those that a spectral Bloom filter
	// has seen often enough (Qian & Liu 2015, §4.2).
	Bloom
	// Bitmap lists candidates order by order, and counts those whose parts occur together
	// often enough (mine/README.md, "Bounds").
	Bitmap
)

// Keep is which fragments there are in a result.
type Keep uint8

const (
	// KeepWeights are those that have a weight in the end.
	KeepWeights Keep = iota
	// KeepFeatures are all of S of the last iteration, of which most may have none: those
	// that Qian & Liu (2015, §6.1) train another learner over.
	KeepFeatures
)

// String is its name.
func (k Keep) String() string { return [...]string{"weights", "features"}[k] }

// Options are how to mine. Space, Symbols, Tree and FS are required; SetDefaults says what 0 is
// of the others.
type Options struct {
	Space   index.Space
	Symbols *index.Symbols
	// Tree reads a sample; it may be called by several goroutines at a time.
	Tree func(sample uint32, t *index.Tree) error

	C          uint32  // of the norm, and what a fragment must exceed on a side
	MaxOrder   int     // building blocks of a fragment; 0 is any
	Iterations int     // at most
	Update     Update  // of the weights
	Keep       Keep    // what is in the result
	Step       float64 // the first α that is tried; of Literal every α

	Route Route
	// Of Bloom: the number of counters, and the bits of each; it has more where C needs them.
	BloomCounters uint64
	BloomBits     uint

	FS  vfs.FS
	Dir string // for scratch files, which exists
	// Memory is what the fragments that an iteration keeps (S_r) may take, in bytes, before they go
	// to Dir. Candidates of Bloom and Bitmap are sorted in as much. On top come the trees, as packs
	// some 12 bytes for each feature of an arc; the filter; 8 bytes a candidate for each worker, as
	// often again as steps are tried where weights would pass 0; and where some had a weight before,
	// 8 bytes of each of those. Mapped files, whose pages are given back after each range, are the
	// index, of some 11 bytes a fragment, and the gradients and weights of those that have or may get
	// one: 4 bytes of each, 12 where some had a weight before. On disk comes what Checkpoint keeps.
	Memory  int64
	Workers int

	// Checkpoint is where the run is gone on from, and goes on from what is there; nil is
	// nowhere.
	Checkpoint *Checkpoint

	// Log is called after each iteration, also those that an earlier run has made; nil is
	// nothing to call.
	Log      func(*Iteration) error
	Progress index.Progress

	unpacked bool // in tests: do without packed forests
}

// Defaults of Options.
const (
	DefaultIterations = 10
	// DefaultBloomCounters take 16 MiB where C is 3.
	DefaultBloomCounters = 1 << 26
)

// SetDefaults sets what is 0: Iterations and BloomCounters to the constants, Step to 1, Workers
// to one a processor, Progress to none. Other fields mean their 0: a Memory of 0 holds no
// fragments.
func (o *Options) SetDefaults() {
	o.Iterations = cmp.Or(o.Iterations, DefaultIterations)
	o.BloomCounters = cmp.Or(o.BloomCounters, DefaultBloomCounters)
	o.Step = cmp.Or(o.Step, 1)
	o.Workers = index.Workers(o.Workers)
	o.Progress = cmp.Or[index.Progress](o.Progress, index.NoProgress{})
}
