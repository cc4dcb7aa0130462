package store

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Two files are locked. A writer has STORE/WRITER alone, for as long as it is there.
// Readers share STORE/LOCK; whoever deletes or renames what a reader may have open
// has it alone, for a moment. So readers and a writer do not keep each other out.
//
// The database below wants a lock of its own even to read: it is handed a file system
// whose Lock does nothing (databaseFS).
//
// On a file system that is not the operating system's (tests) nobody knows how many
// read: a writer there deletes what a reader may need.
const (
	lockName       = "LOCK"
	writerLockName = "WRITER"
)

// isLockName says whether a file of this name is locked, and holds nothing.
func isLockName(name string) bool { return name == lockName || name == writerLockName }

// lockToWrite keeps other writers out, or returns an ErrLocked at once.
func lockToWrite(f vfs.FS, dir string) (io.Closer, error) {
	return lock(f, dir, writerLockName, lockHow{make: true}, "another process is writing it")
}

// lockToRead joins the readers. It is an ErrLocked while files are deleted. A missing lock
// file is made where make says so: not where the directory may be on its way out, since
// its last file is the lock.
func lockToRead(f vfs.FS, dir string, make bool) (io.Closer, error) {
	l, err := lock(f, dir, lockName, lockHow{shared: true, make: make}, replacing)
	if errors.Is(err, fs.ErrNotExist) { // it was renamed or removed at this moment
		err = &Error{Dir: dir, Kind: ErrLocked, Detail: replacing}
	}
	return l, err
}

// replacing is why a reader has to wait.
const replacing = "another process is replacing it"

// lockOutReaders is an ErrLocked where somebody reads.
func lockOutReaders(f vfs.FS, dir string) (io.Closer, error) {
	return lock(f, dir, lockName, lockHow{make: true}, reading)
}

// lockOutReadersOf is lockOutReaders, but for a missing lock file, which is fs.ErrNotExist.
func lockOutReadersOf(f vfs.FS, dir string) (io.Closer, error) {
	return lock(f, dir, lockName, lockHow{}, reading)
}

// reading is why readers cannot be locked out.
const reading = "another process is reading it"

// lockHow is how a file is locked.
type lockHow struct {
	shared bool // with others who share it; else alone
	make   bool // the file, where it is missing; else that is fs.ErrNotExist
}

// lock takes a lock, or returns an ErrLocked that says why not.
func lock(f vfs.FS, dir, name string, how lockHow, why string) (io.Closer, error) {
	path := f.PathJoin(dir, name)
	var l io.Closer
	var err error
	if vfs.Root(f) == vfs.Default {
		l, err = lockFile(path, how)
	} else {
		l, err = lockInTest(f, path, how)
	}
	if errors.Is(err, errHeld) {
		return nil, &Error{Dir: dir, Kind: ErrLocked, Detail: why}
	}
	return l, err
}

// lockInTest locks a file of a file system that is not the operating system's.
func lockInTest(f vfs.FS, path string, how lockHow) (io.Closer, error) {
	if !how.make {
		if _, err := f.Stat(path); err != nil {
			return nil, err
		}
	}
	l, err := f.Lock(path)
	switch {
	case errors.Is(err, syscall.EAGAIN): // what vfs.MemFS says of a lock that is held
		return nil, errors.Join(errHeld, err)
	case err != nil:
		return nil, err
	case how.shared:
		return nopCloser{}, l.Close()
	}
	return l, nil
}

// openLock opens the lock file.
func openLock(name string, how lockHow) (*os.File, error) {
	if how.shared { // which a read-only directory must not forbid
		f, err := os.Open(name)
		if !how.make || !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
	}
	flags := os.O_RDWR
	if how.make {
		flags |= os.O_CREATE
	}
	return os.OpenFile(name, flags, 0o666)
}

// whileLocked calls f until its error is no ErrLocked, or patience is at its end.
func whileLocked(patience time.Duration, f func() error) error {
	return patiently(patience, func(err error) bool { return errors.Is(err, ErrLocked) }, f)
}

// whileBusy calls f until it is not another process's open file that makes it fail:
// some systems do not rename or remove a file while it is read.
func whileBusy(f func() error) error { return patiently(patience, isBusy, f) }

// patiently calls f as long as its error will pass, and patience lasts.
func patiently(patience time.Duration, passes func(error) bool, f func() error) error {
	for end, pause := time.Now().Add(patience), time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		err := f()
		if err == nil || !passes(err) || time.Now().After(end) {
			return err
		}
		time.Sleep(pause)
	}
}

// errHeld is what lockFile returns where another holds the lock.
var errHeld = errors.New("held")

type nopCloser struct{}

func (nopCloser) Close() error { return nil }
