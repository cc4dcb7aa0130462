package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

func takeLock(f *os.File, how lockHow) error {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if !how.shared {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	at := &windows.Overlapped{Offset: uint32(how.first), OffsetHigh: uint32(how.first >> 32)}
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, uint32(how.n), uint32(how.n>>32), at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return errHeld
	}
	return err
}

// isBusy says whether a file cannot be opened or replaced because another process has it open.
func isBusy(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
}
