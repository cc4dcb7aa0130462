package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ErrClosedPipe says that the reader of a pipe has gone, as head does after its
// ten lines: no failure, and the end of the run.
var ErrClosedPipe = errors.New("the reader has closed the pipe")

// wrap says where err was met. The operation and path that os adds are left out:
// a temporary name tells the user nothing.
func wrap(name string, err error) error {
	if err == nil {
		return nil
	}
	if isBrokenPipe(err) || errors.Is(err, io.ErrClosedPipe) {
		err = ErrClosedPipe
	}
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		err = pe.Err
	}
	if le := (*os.LinkError)(nil); errors.As(err, &le) {
		err = le.Err
	}
	return fmt.Errorf("write %s: %w", name, err)
}
