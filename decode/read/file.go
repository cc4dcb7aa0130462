package read

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/zeebo/xxh3"

	"fstore/index"
)

// File is a file that is not a treebank, such as a model. It decompresses the text, and counts and hashes its
// bytes.
type File struct {
	Name string // the file's name for messages

	r      *bufio.Reader
	hash   xxh3.Hasher
	record Input
	file   *os.File // nil for standard input
	end    func()   // ends the decompression
}

// OpenFile opens a file. If stdin is not nil, the name - means standard input. A file that cannot be read is
// an *index.InputError. If ctx ends before a FIFO or a terminal opens, the error is that of ctx.
func OpenFile(ctx context.Context, name string, stdin io.Reader) (*File, error) {
	f := &File{Name: name, record: Input{Path: name}, end: func() {}}
	in := stdin
	if name == "-" && stdin != nil {
		f.Name = Stdin
	} else {
		if _, err := checkPath(name); err != nil {
			return nil, err
		}
		file, err := openFile(ctx, name)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, fileError(name, err)
		}
		in, f.file = file, file
	}
	if canWait(in) {
		in = awaited{ctx, in}
	}
	text, done, err := decompress(in)
	if err != nil {
		f.Close()
		return nil, cmp.Or[error](ctx.Err(), &index.InputError{File: f.Name, Msg: err.Error(), Fatal: true})
	}
	f.end = done
	f.r = bufio.NewReaderSize(text, headBytes)
	return f, nil
}

// await returns the result of f, which can wait forever. If ctx ends first, it returns the error of ctx.
func await[T any](ctx context.Context, f func() (T, error)) (x T, err error) {
	done := make(chan struct{})
	var got T
	var failed error
	go func() {
		got, failed = f()
		close(done)
	}()
	select {
	case <-done:
		return got, failed
	case <-ctx.Done():
		return x, ctx.Err()
	}
}

// awaited is a reader whose Read returns when ctx ends.
type awaited struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader. Data that arrives after ctx has ended is lost.
func (a awaited) Read(p []byte) (int, error) {
	buf := make([]byte, len(p))
	n, err := await(a.ctx, func() (int, error) { return a.r.Read(buf) })
	return copy(p, buf[:n]), err
}

// headBytes is the maximum number of bytes that Head returns.
const headBytes = 64 << 10

// Head returns the first min(n, headBytes) bytes, or fewer if the file is shorter. Read returns them again.
func (f *File) Head(n int) []byte {
	head, _ := f.r.Peek(min(n, headBytes)) // Read will return the error
	return head
}

// Read implements io.Reader. If the compressed data is broken, the error is an *index.InputError.
func (f *File) Read(p []byte) (int, error) {
	n, err := f.r.Read(p)
	_, _ = f.hash.Write(p[:n])
	f.record.Bytes += int64(n)
	if err != nil && err != io.EOF && !errors.Is(err, context.Canceled) {
		err = &index.InputError{File: f.Name, Msg: err.Error(), Fatal: true}
	}
	return n, err
}

// Input returns the path, the size and the hash of what was read.
func (f *File) Input() Input {
	r := f.record
	r.Hash = f.hash.Sum64()
	return r
}

// Close closes the file and ends the decompression.
func (f *File) Close() {
	f.end()
	if f.file != nil {
		_ = f.file.Close() // the file was only read
	}
}

// openFile is os.Open, but it also returns when ctx ends, because opening a named pipe can wait for a writer.
func openFile(ctx context.Context, path string) (*os.File, error) {
	if info, err := os.Stat(path); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		return os.Open(path)
	}
	return await(ctx, func() (*os.File, error) { return os.Open(path) })
}

// canWait says whether a read from r can wait for a writer. Reading a regular file never waits.
func canWait(r io.Reader) bool {
	f, ok := r.(*os.File)
	if !ok {
		return true
	}
	info, err := f.Stat()
	return err != nil || !info.Mode().IsRegular()
}

// checkPath returns the size of a file, or 0 for a pipe. A directory is an error.
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

// fileError turns an error of the operating system into an error about bad input.
func fileError(file string, err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	}
	msg := "cannot be read: " + err.Error()
	if errors.Is(err, fs.ErrNotExist) {
		msg = "no such file"
	}
	return &index.InputError{File: file, Msg: msg, Fatal: true}
}
