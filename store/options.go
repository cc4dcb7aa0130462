package store

import (
	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/store/disk"
)

// Options say how to open a store.
type Options struct {
	// FS is the file system; nil means the operating system's.
	FS vfs.FS
	// CacheBytes bounds the cache of Store.Get for often read fragments; 0 means 16 MiB, negative means no
	// cache.
	CacheBytes int64
	// HoldBytes bounds the memory of the values that Store.Hold and Store.Load keep; 0 keeps nothing. Set it
	// in a program that answers many questions.
	HoldBytes int64
}

const defaultCacheBytes = 16 << 20

// disk returns the options for opening the database.
func (o *Options) disk() disk.Options {
	return disk.Options{FS: o.FS, Again: commandsAgain}
}

// Mode says what Begin expects to find.
type Mode = disk.Mode

// The values of Mode, see package disk.
const (
	Create    = disk.Create
	Append    = disk.Append
	Overwrite = disk.Overwrite
)

// WriteOptions say how a writer begins.
type WriteOptions struct {
	Options
	Mode Mode
	// Keep leaves files for a later Resume when a run is aborted: the files of a new store up to the last
	// Checkpoint, the saved states of the run, and its kept files (runfile.File).
	Keep bool
	// Resume goes on from the last Checkpoint of a new store, if there is one, see Writer.Resumed. Saved
	// states and kept files (runfile.File) of the earlier run are then in Writer.Scratch, also if a store is
	// appended to. Resume implies Keep. A writer that begins without Resume removes these files.
	Resume bool
}

// Errors of a store as a whole, see package disk. All except ErrNotFound come as an *Error.
var (
	ErrNotStore = disk.ErrNotStore
	ErrExists   = disk.ErrExists
	ErrNotEmpty = disk.ErrNotEmpty
	ErrLocked   = disk.ErrLocked
	ErrDamaged  = disk.ErrDamaged
	ErrVersion  = disk.ErrVersion
	ErrNotFound = disk.ErrNotFound
)

// Error is one of the errors above with its details.
type Error = disk.Error
