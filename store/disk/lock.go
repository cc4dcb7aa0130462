package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// A writer has an exclusive lock on STORE/WRITER. A reader has a shared lock on one byte of STORE/LOCK. The
// offset of the byte is the number of the state that is read (seal.next). If a writer cannot lock a byte
// exclusively, somebody reads that state.
//
// Older programs read states of format 1, whose number is 0. They lock the whole file or its first byte. On
// systems that lock only whole files, any reader protects all states.
//
// A file system in memory, as in tests, has no shared locks. So a writer on it deletes files even if a reader
// needs them.

// lockToRead takes a reader's lock on a state. It returns ErrLocked while a writer looks for readers.
func (d Dir) lockToRead(state uint64) (io.Closer, error) {
	how := lockHow{shared: true, first: state, n: 1}
	if state == 0 {
		how.n = allBytes // so that a writer of an older program sees this reader
	}
	return d.lock(lockName, how, "another process looks for readers")
}

// unread says whether no process reads one of the states [first, last], or a state of format 1.
func (d Dir) unread(first, last uint64) (bool, error) {
	for _, how := range []lockHow{{n: 1}, {first: first, n: last - first + 1}} {
		l, err := d.lock(lockName, how, "another process is reading it")
		if errors.Is(err, ErrLocked) {
			return false, nil
		}
		if err == nil {
			err = l.Close()
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// lockHow says which bytes of a file to lock, and whether others can share the lock.
type lockHow struct {
	shared   bool   // share the lock with others; else exclude them
	first, n uint64 // the first locked byte, and how many are locked
}

// allBytes is the largest number of bytes that every system can lock.
const allBytes = 1<<63 - 1

// lock locks the file with this name, and makes it if it is missing. If another process has the lock, the
// error is ErrLocked with this reason.
func (d Dir) lock(name string, how lockHow, reason string) (io.Closer, error) {
	path := d.Join(name)
	var l io.Closer
	var err error
	if vfs.Root(d.FS) == vfs.Default {
		if info, serr := os.Lstat(path); serr == nil && !info.Mode().IsRegular() {
			return nil, d.Damaged(name+" is no regular file", nil)
		}
		l, err = lockFile(path, how)
	} else {
		l, err = lockInTest(d.FS, path, how)
	}
	if errors.Is(err, errHeld) {
		return nil, d.fail(ErrLocked, reason)
	}
	return l, err
}

// lockInTest does what the method `lock` does, for a file system of tests, such as one in memory.
func lockInTest(f vfs.FS, path string, how lockHow) (io.Closer, error) {
	l, err := f.Lock(path)
	switch {
	case errors.Is(err, syscall.EAGAIN): // the error of vfs.MemFS if the lock is taken
		return nil, errors.Join(errHeld, err)
	case err != nil:
		return nil, err
	case how.shared:
		return io.NopCloser(nil), l.Close()
	}
	return l, nil
}

// lockFile locks a file of the operating system. A reader that may neither open nor make the file reads
// without a lock: the medium is read-only, or the files are of another user.
func lockFile(name string, how lockHow) (io.Closer, error) {
	for {
		f, err := openLock(name, how)
		if err != nil {
			if how.shared && (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)) {
				return io.NopCloser(nil), nil
			}
			return nil, err
		}
		var opened fs.FileInfo
		if err = takeLock(f, how); err == nil {
			opened, err = f.Stat()
		}
		if err != nil {
			f.Close()
			return nil, err
		}
		// A build that aborts may have removed the file between opening and locking.
		if now, err := os.Stat(name); err == nil && os.SameFile(opened, now) {
			return f, nil
		}
		f.Close()
	}
}

// openLock opens the lock file, and makes it if it is missing.
func openLock(name string, how lockHow) (*os.File, error) {
	if how.shared { // read-only is enough for a shared lock, and works in a read-only directory
		if f, err := os.Open(name); !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
	}
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
}

// errHeld is the error of takeLock if another process has the lock.
var errHeld = errors.New("held")
