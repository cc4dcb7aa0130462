package builder

import (
	"cmp"
	"errors"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/store"
)

// Options are what Build does. The zero value of a field is its default.
type Options struct {
	FS   vfs.FS     // nil: the operating system's
	Mode store.Mode // what to do about an existing store

	// Spaces to index. An append keeps those of the store.
	Spaces Choice
	// MaxFragments bounds the fragments stored over all spaces: more is
	// ErrTooMany. A fragment counts once more for each 32 of its order. 0 is no bound.
	MaxFragments uint64
	// Workers grow ranges at the same time; 0 is one a processor.
	Workers int
	// Memory is what the samples in growth may hold, in bytes; 0 is 1 GiB. Closed
	// fragments, and those of spaces that are not index.Additive, may need more: what
	// is below one first step (in an index.Splitter, one second step) is held whole.
	Memory int64

	// Source opens the samples, interning into the store's symbols.
	Source func(*index.Symbols) (index.Source, error)
	// Event returns the history entry of the run, once all samples are read.
	Event func() store.Event

	// Resume goes on from where an interrupted or killed run with the same ResumeKey has
	// left its samples and ranges, where one has, and leaves that again if interrupted; it
	// is not of an append. ResumeKey stands for everything that the result depends on.
	Resume    bool
	ResumeKey string

	Progress index.Progress // nil: none

	IncrementAlways bool // in tests: an append of many samples too grows only what they have
}

func (o *Options) setDefaults() {
	o.FS = cmp.Or(o.FS, vfs.Default)
	o.Workers = index.Workers(o.Workers)
	if o.Memory <= 0 {
		o.Memory = 1 << 30
	}
	o.Progress = cmp.Or[index.Progress](o.Progress, index.NoProgress{})
}

// ErrNotResumable says that what a run has left is of other options, or cannot be gone on
// from.
var ErrNotResumable = errors.New("not what an interrupted run can go on from")

// ErrNoSamples says that there was nothing to build from.
var ErrNoSamples = errors.New("no samples")
