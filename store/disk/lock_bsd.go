//go:build unix && !linux

package disk

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// lockFile takes a BSD lock, of the whole file, which belongs to the open file as open-file-description
// locks on Linux do; POSIX locks belong to the process and are lost when any
// descriptor of the file is closed.
func lockFile(name string, how lockHow) (io.Closer, error) {
	return lockOpened(name, how, func(f *os.File) error {
		op := unix.LOCK_EX
		if how.shared {
			op = unix.LOCK_SH
		}
		err := unix.Flock(int(f.Fd()), op|unix.LOCK_NB)
		if errors.Is(err, unix.EWOULDBLOCK) {
			return errHeld
		}
		return err
	})
}
