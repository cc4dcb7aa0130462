package output

import (
	"errors"
	"syscall"
)

// errorNoData is the Windows error ERROR_NO_DATA: the pipe is being closed.
const errorNoData syscall.Errno = 232

func isBrokenPipe(err error) bool {
	return errors.Is(err, syscall.ERROR_BROKEN_PIPE) || errors.Is(err, errorNoData)
}
