package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ErrClosedPipe says that the reader of a pipe has ended, such as `head` after ten lines. This is no failure.
var ErrClosedPipe = errors.New("the reader has closed the pipe")

// wrap adds the name of the output to an error, in place of the operation and the path that package os adds.
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
