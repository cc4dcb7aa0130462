package disk

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// takeLock takes an open-file-description lock. A POSIX lock would not exclude other users in the same
// process, and would be lost when another descriptor of the file is closed.
func takeLock(f *os.File, how lockHow) error {
	l := unix.Flock_t{Type: unix.F_WRLCK, Whence: io.SeekStart, Start: int64(how.first), Len: int64(how.n)}
	if how.shared {
		l.Type = unix.F_RDLCK
	}
	err := unix.FcntlFlock(f.Fd(), unix.F_OFD_SETLK, &l)
	if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EACCES) {
		return errHeld
	}
	return err
}
