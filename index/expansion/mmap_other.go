//go:build !unix && !windows

package expansion

import "errors"

// mapFile is not to be had here: the file is read whole.
func mapFile(uintptr, int64) ([]byte, func() error, error) {
	return nil, nil, errors.ErrUnsupported
}

// release does nothing: the system takes pages back when it needs them.
func release([]byte) {}
