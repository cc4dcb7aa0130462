package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// A writer has STORE/WRITER alone, for as long as it is there. A reader shares one byte of
// STORE/LOCK, at the number of its state (seal.next), until it is closed. A writer finds out which
// states are read: it tries to have their bytes alone, for a moment.
//
// Older programs share the whole file, or its first byte: they read states of format 1, whose
// number is 0. On systems whose locks are of whole files any reader holds all states.
//
// On a file system that is not the operating system's (tests) nobody knows how many read: a writer
// there deletes what a reader may need.

// lockToRead joins the readers of a state. It is an ErrLocked for the moment in which a writer
// looks for them.
func (d Dir) lockToRead(s *seal) (io.Closer, error) {
	how := lockHow{shared: true, first: s.next, n: 1}
	if s.next == 0 {
		how.n = allBytes // a writer of an older program must see it
	}
	return d.lock(lockName, how, "another process looks for readers")
}

// unread says whether nobody reads a state from first to last, nor one of format 1.
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

// lockHow is how a file is locked, which is made where it is missing.
type lockHow struct {
	shared   bool   // with others who share it; else alone
	first, n uint64 // the bytes
}

// allBytes are as many as every system can lock.
const allBytes = 1<<63 - 1

// lock takes a lock, or returns an ErrLocked that says why not.
func (d Dir) lock(name string, how lockHow, why string) (io.Closer, error) {
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
		return nil, d.fail(ErrLocked, why)
	}
	return l, err
}

// lockInTest locks a file of a file system that is not the operating system's.
func lockInTest(f vfs.FS, path string, how lockHow) (io.Closer, error) {
	l, err := f.Lock(path)
	switch {
	case errors.Is(err, syscall.EAGAIN): // what vfs.MemFS says of a lock that is held
		return nil, errors.Join(errHeld, err)
	case err != nil:
		return nil, err
	case how.shared:
		return io.NopCloser(nil), l.Close()
	}
	return l, nil
}

// lockFile locks a file of the operating system's. Who may neither open nor make it reads without a
// lock: on a medium that cannot be written nobody writes, and in another's directory the owner sees to
// it that the file is there.
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
		// A build that was given up may have removed the file between opening and locking.
		if now, err := os.Stat(name); err == nil && os.SameFile(opened, now) {
			return f, nil
		}
		f.Close()
	}
}

// openLock opens the lock file.
func openLock(name string, how lockHow) (*os.File, error) {
	if how.shared { // which a read-only directory must not forbid
		if f, err := os.Open(name); !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
	}
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
}

// patience is how long to wait for what others do in moments: they have a file open that is to be
// renamed, on systems that do not allow it, or look for readers. (A variable for tests.)
var patience = 5 * time.Second

// whileBusy calls f again while it fails because another process has the file open.
func whileBusy(f func() error) error { return patiently(isBusy, f) }

// patiently calls f as long as its error will pass, and patience lasts.
func patiently(passes func(error) bool, f func() error) error {
	for end, pause := time.Now().Add(patience), time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		err := f()
		if err == nil || !passes(err) || time.Now().After(end) {
			return err
		}
		time.Sleep(pause)
	}
}

// errHeld is what takeLock returns where another holds the lock.
var errHeld = errors.New("held")
