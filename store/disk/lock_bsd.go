//go:build unix && !linux

package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// takeLock takes a BSD lock on the whole file. A POSIX lock would be lost when any descriptor of the file is
// closed.
func takeLock(f *os.File, how lockHow) error {
	op := unix.LOCK_EX
	if how.shared {
		op = unix.LOCK_SH
	}
	err := unix.Flock(int(f.Fd()), op|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return errHeld
	}
	return err
}
