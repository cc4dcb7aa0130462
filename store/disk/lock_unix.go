//go:build unix

package disk

import (
	"errors"

	"golang.org/x/sys/unix"
)

// isBusy says whether a file cannot be renamed because another process has it open. On Unix, this happens
// only on some network file systems.
func isBusy(err error) bool { return errors.Is(err, unix.EBUSY) }
