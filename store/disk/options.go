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

// Mode says what Begin expects to find in its directory.
type Mode uint8

const (
	// Create makes a new store: ErrExists if there is one already.
	Create Mode = iota
	// Append changes the present store: ErrNotStore if there is none.
	Append
	// Overwrite makes a new store, which replaces the present one, if there is one.
	Overwrite
)

// Options are the options of OpenToRead and Begin.
type Options struct {
	// FS is the file system; nil means the operating system's.
	FS vfs.FS
	// Again returns the commands that build the same store again, or "" if they are not known. The error for
	// a store of an older version shows them. copies[0] is the newest copy of meta.
	Again func(copies [][]byte) string

	// The fields below are for writers only.

	Mode Mode
	// Keep says that Abort leaves the files that a later Resume needs.
	Keep bool
	// Resume continues an unfinished change, see Change.Resume. It implies Keep.
	Resume bool
}

// blockCacheBytes bounds the cache of table blocks.
const blockCacheBytes = 8 << 20

// dirAt returns the directory at path, or the directory to which a symbolic link at path points. Only regular
// files can be opened in it.
func (o *Options) dirAt(path string) (Dir, error) {
	f := cmp.Or(o.FS, vfs.Default)
	path, err := resolve(f, path)
	return Dir{regularFS{f}, path}, err
}

// databaseFormat is the oldest of Pebble's formats with columnar blocks and a checksum over a table's footer.
// It is a constant, so that a newer Pebble writes the same format.
const databaseFormat = pebble.FormatTableFormatV6

// blockSize is the size of blocks before Snappy compresses them. 32 KiB made no smaller tables (IcePaHC,
// order 5). Zstd saves a quarter of the bytes, but a build takes a quarter more CPU time.
const blockSize = 16 << 10

// databaseOptions returns Pebble's options, for reading and writing alike. All data comes in ingested tables
// that never overlap, so there is no write-ahead log and no compaction.
func databaseOptions(f vfs.FS, fatal *fatalities, readOnly bool) *pebble.Options {
	o := &pebble.Options{
		FS:                 f,
		ReadOnly:           readOnly,
		ErrorIfNotExists:   true,
		FormatMajorVersion: databaseFormat,
		Logger:             fatal,
		EventListener: &pebble.EventListener{ // the default listener would end the process
			BackgroundError: func(error) {},
			DataCorruption:  func(pebble.DataCorruptionInfo) {},
		},
		DisableWAL:                  true,
		DisableAutomaticCompactions: true,
		MemTableSize:                64 << 10,
		MaxOpenFiles:                256,
	}
	o.Experimental.ReadSamplingMultiplier = -1 // negative: do not sample reads to schedule compactions
	for i := range o.Levels {
		o.Levels[i].BlockSize = blockSize
		o.Levels[i].IndexBlockSize = 256 << 10
		o.Levels[i].Compression = func() *sstable.CompressionProfile { return sstable.SnappyCompression }
	}
	return o
}

func tableOptions(o *pebble.Options) sstable.WriterOptions {
	o.EnsureDefaults()
	return o.MakeWriterOptions(len(o.Levels)-1, databaseFormat.MaxTableFormat())
}

// fatalities is the logger of a database. Its Fatalf ends only the calling goroutine, and its method `catch`
// returns the error. After that, the database must not be used or closed.
type fatalities struct {
	gone context.Context // done if the database gave up; its cause is the error
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

// fatalError is the message with which the database gave up, and its cause. A cause from the operating system
// is no damage of the store.
type fatalError struct {
	text  string
	cause error // may be nil
}

func (e fatalError) Error() string { return e.text }
func (e fatalError) Unwrap() error { return e.cause }

// broken says whether the database gave up.
func (f *fatalities) broken() bool { return f.gone.Err() != nil }

// catch calls the database, and returns its panics and fatal errors as errors. Calls that write need it, and
// so do calls that wait for a writing goroutine.
func (f *fatalities) catch(call func() error) error {
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
