package store

import (
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/store/disk"
)

// Options are the options of Open. The zero value has the defaults.
type Options struct {
	// FS is the file system; nil means the operating system's.
	FS vfs.FS
	// CacheBytes bounds the cache that Store.Get keeps fragments in; 0 means 16 MiB, negative means no cache.
	CacheBytes int64
	// HoldBytes bounds the memory of Store.Hold and Store.Load; 0 means that they keep nothing. Set it in a
	// program that answers many questions.
	HoldBytes int64
}

const defaultCacheBytes = 16 << 20

func (o *Options) disk() disk.Options {
	return disk.Options{FS: o.FS, Again: commandsAgain}
}

// commandsAgain returns the commands that build a store again, from the newest readable copy of meta, or "".
func commandsAgain(copies [][]byte) string {
	for _, b := range copies {
		var m struct{ History []Event }
		if disk.Unmarshal(b, &m) != nil || len(m.History) == 0 {
			continue
		}
		var commands []string
		for i, e := range m.History {
			switch {
			case i == 0 && !strings.Contains(e.Command, " --overwrite"):
				commands = append(commands, e.Command+" --overwrite")
			case !strings.HasPrefix(e.Command, "fstore verify ") && !strings.HasPrefix(e.Command, "fstore reindex "):
				commands = append(commands, e.Command)
			}
		}
		return strings.Join(commands, "; ")
	}
	return ""
}

// Mode says what Begin expects to find in its directory.
type Mode = disk.Mode

// The modes, see package disk.
const (
	Create    = disk.Create
	Append    = disk.Append
	Overwrite = disk.Overwrite
)

// WriteOptions say how a writer begins.
type WriteOptions struct {
	Options
	Mode Mode
	// Keep says that an aborted run leaves the files that a later Resume needs.
	Keep bool
	// Resume continues from the last Checkpoint of a new store, if there is one (see Writer.Resumed). It
	// implies Keep. The saved states and kept files of the earlier run are in Writer.Scratch. Without Resume,
	// Begin removes them.
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

// Error is one of the errors above, with its details.
type Error = disk.Error
