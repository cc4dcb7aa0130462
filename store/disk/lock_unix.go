//go:build unix

package disk

import (
	"errors"

	"golang.org/x/sys/unix"
)

// isBusy says whether a file is busy. Unix can rename and replace open files, except on some network file
// systems.
func isBusy(err error) bool { return errors.Is(err, unix.EBUSY) }
