//go:build unix

package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// lockOpened opens the lock file and locks it with take. Who may neither open nor make it
// reads without a lock: on a medium that cannot be written nobody writes, and in another's
// directory it is the owner who sees to it that the file is there.
func lockOpened(name string, how lockHow, take func(*os.File) error) (io.Closer, error) {
	for {
		f, err := openLock(name, how)
		if err != nil {
			if how.shared && (errors.Is(err, fs.ErrPermission) || errors.Is(err, unix.EROFS)) {
				return io.NopCloser(nil), nil
			}
			return nil, err
		}
		if err := take(f); err != nil {
			f.Close()
			return nil, err
		}
		// A build that was given up may have removed the file between opening and locking.
		opened, err := f.Stat()
		if err != nil {
			f.Close()
			return nil, err
		}
		if now, err := os.Stat(name); err == nil && os.SameFile(opened, now) {
			return f, nil
		}
		f.Close()
	}
}

// isBusy: a file can be renamed and replaced while others have it open, but for some file
// systems over a network.
func isBusy(err error) bool { return errors.Is(err, unix.EBUSY) }
