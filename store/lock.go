package store

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Readers share STORE/LOCK, a writer has it alone. The database below wants it
// exclusively even to read, so this package takes the lock itself and hands the
// database a file system whose Lock does nothing (databaseFS).
//
// On a file system that is not the operating system's (tests) only exclusion
// between writers, and of readers that open while a writer is there, is kept.
const lockName = "LOCK"

// lock takes the lock of the store in dir, or returns an ErrLocked at once.
func lock(f vfs.FS, dir string, shared bool) (io.Closer, error) {
	name := f.PathJoin(dir, lockName)
	var l io.Closer
	var err error
	if vfs.Root(f) == vfs.Default {
		l, err = lockFile(name, shared)
	} else if l, err = f.Lock(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		err = errors.Join(errHeld, err)
	} else if err == nil && shared {
		err = l.Close()
		l = nopCloser{}
	}
	if errors.Is(err, errHeld) {
		detail := "another process is reading or writing it"
		if shared {
			detail = "another process is writing it"
		}
		return nil, &Error{Dir: dir, Kind: ErrLocked, Detail: detail}
	}
	return l, err
}

// openLock opens the lock file, making it where it is missing.
func openLock(name string, shared bool) (*os.File, error) {
	if shared { // which a read-only directory must not forbid
		f, err := os.Open(name)
		if !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
	}
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
}

// lockPatiently is lock, exclusive, that lets short readers finish.
func lockPatiently(f vfs.FS, dir string, patience time.Duration) (io.Closer, error) {
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		l, err := lock(f, dir, false)
		if err == nil || !errors.Is(err, ErrLocked) || time.Now().After(end) {
			return l, err
		}
	}
}

// errHeld is what lockFile returns where another holds the lock.
var errHeld = errors.New("held")

type nopCloser struct{}

func (nopCloser) Close() error { return nil }
