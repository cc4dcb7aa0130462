//go:build unix

package disk

import (
	"errors"

	"golang.org/x/sys/unix"
)

// isBusy: a file can be renamed and replaced while others have it open, but for some file
// systems over a network.
func isBusy(err error) bool { return errors.Is(err, unix.EBUSY) }
