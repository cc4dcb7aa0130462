package read

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"fstore/index"
)

// openFile is os.Open, but that it ends with ctx: opening a named pipe waits for
// somebody to write into it.
func openFile(ctx context.Context, path string) (*os.File, error) {
	if info, err := os.Stat(path); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		return os.Open(path)
	}
	type result struct {
		f   *os.File
		err error
	}
	opened := make(chan result, 1)
	go func() {
		f, err := os.Open(path)
		opened <- result{f, err}
	}()
	select {
	case r := <-opened:
		return r.f, r.err
	case <-ctx.Done():
		go func() {
			if r := <-opened; r.err == nil {
				_ = r.f.Close()
			}
		}()
		return nil, ctx.Err()
	}
}

// waits says whether reading r may have to wait for somebody who writes: not so for a
// regular file, of which all is there.
func waits(r io.Reader) bool {
	f, ok := r.(*os.File)
	if !ok {
		return true
	}
	info, err := f.Stat()
	return err != nil || !info.Mode().IsRegular()
}

// checkPath returns the size of a file, 0 for a pipe.
func checkPath(file string) (int64, error) {
	st, err := os.Stat(file)
	switch {
	case err != nil:
		return 0, fileError(file, err)
	case st.IsDir():
		return 0, &index.InputError{File: file, Msg: "is a directory: expected a file", Fatal: true}
	case !st.Mode().IsRegular():
		return 0, nil
	}
	return st.Size(), nil
}

// fileError turns an error of the system into one of bad input.
func fileError(file string, err error) error {
	msg := "cannot be read: "
	var pe *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		msg = "no such file"
	case errors.As(err, &pe):
		msg += pe.Err.Error()
	default:
		msg += err.Error()
	}
	return &index.InputError{File: file, Msg: msg, Fatal: true}
}
