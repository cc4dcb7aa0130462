package disk

import (
	"errors"
	"io"
	"io/fs"

	"golang.org/x/sys/windows"
)

// lockFile locks bytes of the file.
func lockFile(name string, how lockHow) (io.Closer, error) {
	f, err := openLock(name, how)
	if err != nil {
		if how.shared && errors.Is(err, fs.ErrPermission) {
			return io.NopCloser(nil), nil // nobody can write there
		}
		return nil, err
	}
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if !how.shared {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	at := &windows.Overlapped{Offset: uint32(how.first), OffsetHigh: uint32(how.first >> 32)}
	err = windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, uint32(how.n), uint32(how.n>>32), at)
	if err != nil {
		f.Close()
		if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
			return nil, errHeld
		}
		return nil, err
	}
	return f, nil
}

// isBusy says whether a file cannot be opened or replaced because others have it open: a sharing
// violation.
func isBusy(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
}
