package store

import (
	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/store/disk"
)

// Options are how a store is opened.
type Options struct {
	// FS is the file system; nil is the operating system's.
	FS vfs.FS
	// CacheBytes bounds the cache of hot fragments of Store.Get; 0 is 16 MiB,
	// negative is none.
	CacheBytes int64
	// HoldBytes bounds the memory of what Store.Hold and Store.Load keep; 0 is nothing. It is for a
	// program that answers many questions.
	HoldBytes int64
}

const defaultCacheBytes = 16 << 20

// disk returns the options of the database.
func (o *Options) disk() disk.Options {
	return disk.Options{FS: o.FS, Again: commandsAgain}
}

// Mode says what Begin expects to find.
type Mode = disk.Mode

// The modes, see package disk.
const (
	Create    = disk.Create
	Append    = disk.Append
	Overwrite = disk.Overwrite
)

// WriteOptions are how a writer begins.
type WriteOptions struct {
	Options
	Mode Mode
	// Keep leaves, when a run is aborted, what Resume goes on from: the files of a new store
	// up to the last Checkpoint, and the states and the kept files of the run.
	Keep bool
	// Resume goes on from the last Checkpoint of a new store, if there is one, see Writer.Resumed.
	// States and kept files that are left are in Writer.Scratch, also if a store is appended to.
	// Resume implies Keep. A writer that begins without it removes what is left.
	Resume bool
}

// What can be wrong with a store as a whole, see package disk. All but ErrNotFound come as an *Error.
var (
	ErrNotStore = disk.ErrNotStore
	ErrExists   = disk.ErrExists
	ErrNotEmpty = disk.ErrNotEmpty
	ErrLocked   = disk.ErrLocked
	ErrDamaged  = disk.ErrDamaged
	ErrVersion  = disk.ErrVersion
	ErrNotFound = disk.ErrNotFound
)

// Error is one of the errors above and what led to it.
type Error = disk.Error
