//go:build unix

package disk

import (
	"errors"

	"golang.org/x/sys/unix"
)

// isBusy says whether another process prevents the rename of an open file. On Unix, only some network file
// systems do that.
func isBusy(err error) bool { return errors.Is(err, unix.EBUSY) }
