package disk

import (
	"cmp"
	"context"
	"fmt"
	"runtime"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Mode says what Begin expects to find.
type Mode uint8

const (
	// Create makes a new store: ErrExists where there is one.
	Create Mode = iota
	// Append changes the store that is there, ErrNotStore where there is none.
	Append
	// Overwrite makes a new store in the place of the one that is there, if any.
	Overwrite
)

// Options are how a store is opened.
type Options struct {
	// FS is the file system; nil is the operating system's.
	FS vfs.FS
	// Again returns the commands that make a store again, "" where it does not know: what is
	// said of one that is too old. It gets the copies that the directory has, see Change.Commit.
	Again func(copies [][]byte) string

	// What follows is for writers only.

	Mode Mode
	// Keep leaves, when the change is aborted, what Resume goes on from.
	Keep bool
	// Resume goes on from a change that did not end, see Change.Resume. It implies Keep.
	Resume bool
}

// blockCacheBytes bounds the cache of blocks as read from disk.
const blockCacheBytes = 8 << 20

// at returns the directory, of which regular files only are opened.
func (o *Options) at(path string) (Dir, error) {
	f := cmp.Or(o.FS, vfs.Default)
	path, err := resolve(f, path)
	return Dir{regularFS{f}, path}, err
}

// databaseFormat is the oldest of Pebble's formats with columnar blocks and a checksum over a
// table's footer. It is pinned: a newer library must not change what is on disk.
const databaseFormat = pebble.FormatTableFormatV6

// blockSize is that of blocks that Snappy compresses. On the fragments of IcePaHC up to order 5,
// 32 KiB made no smaller tables. Zstd saves a quarter of the bytes, for a quarter more CPU time of a
// build, and makes every read slower.
const blockSize = 16 << 10

// databaseOptions are Pebble's options for reading and writing alike. All data comes in tables that
// are ingested. So there is no write-ahead log, next to no memtable, and no compaction: tables never
// overlap, and what is obsolete is excised whole.
func databaseOptions(f vfs.FS, fatal *fatalities, readOnly bool) *pebble.Options {
	o := &pebble.Options{
		FS:                 f,
		ReadOnly:           readOnly,
		ErrorIfNotExists:   true,
		FormatMajorVersion: databaseFormat,
		Logger:             fatal,
		EventListener: &pebble.EventListener{ // the default would end the process
			BackgroundError: func(error) {},
			DataCorruption:  func(pebble.DataCorruptionInfo) {},
		},
		DisableWAL:                  true,
		DisableAutomaticCompactions: true,
		MemTableSize:                64 << 10,
		MaxOpenFiles:                256,
	}
	o.Experimental.ReadSamplingMultiplier = -1 // samples reads to schedule compactions
	for i := range o.Levels {
		o.Levels[i].BlockSize = blockSize
		o.Levels[i].IndexBlockSize = 256 << 10
		o.Levels[i].Compression = func() *sstable.CompressionProfile { return sstable.SnappyCompression }
	}
	return o
}

// tableOptions are how tables to be ingested are written.
func tableOptions(o *pebble.Options) sstable.WriterOptions {
	o.EnsureDefaults()
	return o.MakeWriterOptions(len(o.Levels)-1, databaseFormat.MaxTableFormat())
}

// fatalities is the logger of one database. It drops the log, since what matters comes back as an
// error. Only Fatalf counts, which is meant to end the process: a write of the manifest failed, maybe
// in a goroutine of the database. It ends the goroutine instead. Whoever waits for the database in do
// gets the error, and the database must not be used any more, nor closed.
type fatalities struct {
	gone context.Context // done when the database gave up; its cause is the error
	die  context.CancelCauseFunc
}

func newFatalities() *fatalities {
	gone, die := context.WithCancelCause(context.Background())
	return &fatalities{gone, die}
}

func (*fatalities) Infof(string, ...any)  {}
func (*fatalities) Errorf(string, ...any) {}

// Fatalf ends the calling goroutine.
func (f *fatalities) Fatalf(format string, args ...any) {
	err := fatalError{text: "database: " + fmt.Sprintf(format, args...)}
	for _, a := range args {
		if cause, ok := a.(error); ok {
			err.cause = cause
		}
	}
	f.die(err)
	runtime.Goexit()
}

// fatalError is what the database gave up with, and the error that made it: one of the
// operating system's is no damage.
type fatalError struct {
	text  string
	cause error // may be nil
}

func (e fatalError) Error() string { return e.text }
func (e fatalError) Unwrap() error { return e.cause }

// broken says whether the database gave up.
func (f *fatalities) broken() bool { return f.gone.Err() != nil }

// do calls a method of the database that writes, or may wait for one of its
// goroutines that does. Panics come back as errors too.
func (f *fatalities) do(call func() error) error {
	if f.broken() {
		return context.Cause(f.gone)
	}
	done := make(chan error, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				f.die(fmt.Errorf("database: %v", r))
			}
		}()
		done <- call()
	}()
	select {
	case err := <-done:
		return err
	case <-f.gone.Done():
		return context.Cause(f.gone)
	}
}
