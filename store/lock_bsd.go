//go:build unix && !linux

package store

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// renameLocked: a directory can be renamed while a file in it is open.
const renameLocked = true

// lockFile takes a BSD lock, which belongs to the open file as open-file-description
// locks on Linux do; POSIX locks belong to the process and are lost when any
// descriptor of the file is closed.
func lockFile(name string, shared bool) (io.Closer, error) {
	return lockOpened(name, shared, func(f *os.File) error {
		how := unix.LOCK_EX
		if shared {
			how = unix.LOCK_SH
		}
		err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB)
		if errors.Is(err, unix.EWOULDBLOCK) {
			return errHeld
		}
		return err
	})
}
