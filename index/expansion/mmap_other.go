//go:build !unix && !windows

package expansion

import "errors"

// mapFile returns an error, as files cannot be mapped here. The file is then read whole.
func mapFile(uintptr, int64) ([]byte, func() error, error) {
	return nil, nil, errors.ErrUnsupported
}

// release does nothing: the system takes pages back when it needs them.
func release([]byte) {}
