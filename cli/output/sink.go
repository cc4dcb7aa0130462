package output

import (
	"bufio"
	"io"
)

// bufferSize is the size of a sink's buffer in bytes.
const bufferSize = 64 << 10

// Sink is an output of a command. The output is complete when Commit has returned nil. Whoever opens a sink
// defers Abort, which discards what was not committed.
type Sink interface {
	io.Writer
	// Flush writes the buffer. A file keeps its temporary name.
	Flush() error
	Commit() error
	Abort()
}

// IsStdout reports whether the value of -o means standard output.
func IsStdout(file string) bool { return file == "" || file == "-" || file == "/dev/stdout" }

// Stdout returns a buffered sink for standard output.
func Stdout(w io.Writer) Sink { return newStream("standard output", w, nil) }

// Streams reports whether flushed output can be read before Commit. A file has no name until then.
func Streams(s Sink) bool {
	_, ok := s.(*stream)
	return ok
}

// stream is a sink for standard output, a device or a named pipe. What was written cannot be taken back.
type stream struct {
	*bufio.Writer
	name   string
	closer io.Closer // nil: not to be closed here
}

func newStream(name string, w io.Writer, c io.Closer) *stream {
	return &stream{bufio.NewWriterSize(named{name, w}, bufferSize), name, c}
}

func (s *stream) Commit() error {
	err := s.Flush()
	if s.closer != nil {
		if e := s.closer.Close(); err == nil {
			err = wrap(s.name, e)
		}
		s.closer = nil
	}
	return err
}

// Abort writes the buffer, so that the rows before an error are not lost.
func (s *stream) Abort() { _ = s.Commit() }

// named is a writer with a name, which it adds to errors.
type named struct {
	name string
	w    io.Writer
}

func (n named) Write(p []byte) (int, error) {
	k, err := n.w.Write(p)
	return k, wrap(n.name, err)
}
