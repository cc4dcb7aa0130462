package output

import (
	"bufio"
	"io"
	"os"

	"github.com/cockroachdb/pebble/v2/vfs"
	"golang.org/x/term"

	"fstore/cli/visible"
)

// bufferSize is what a sink gathers before it writes.
const bufferSize = 64 << 10

// Sink takes what a command prints. Nothing is certain before Commit returned
// nil: it flushes, and gives a file its name. Abort, deferred by whoever opened
// the sink, undoes what was not committed; after Commit it does nothing.
type Sink interface {
	io.Writer
	// Flush passes on what is buffered; a file keeps its temporary name.
	Flush() error
	Commit() error
	Abort()
}

// IsStdout says whether -o FILE means standard output.
func IsStdout(file string) bool { return file == "" || file == "-" || file == "/dev/stdout" }

// Open returns the sink for -o file: stdout where IsStdout(file), else a file
// that replaces an old one at Commit. On a terminal nothing that is written acts.
func Open(fs vfs.FS, file string, stdout io.Writer) (Sink, error) {
	if f, ok := stdout.(*os.File); ok && IsStdout(file) && term.IsTerminal(int(f.Fd())) {
		stdout = visible.Writer(stdout)
	}
	return OpenStyled(fs, file, stdout)
}

// OpenStyled is Open for what has escape sequences of its own.
func OpenStyled(fs vfs.FS, file string, stdout io.Writer) (Sink, error) {
	if IsStdout(file) {
		return Stdout(stdout), nil
	}
	return Create(fs, file)
}

// Stdout returns a buffered sink over standard output.
func Stdout(w io.Writer) Sink { return newStream("standard output", w, nil) }

// Streams says whether somebody can read what a sink has flushed before it is committed:
// a file has no name until then.
func Streams(s Sink) bool {
	_, ok := s.(*stream)
	return ok
}

// stream is standard output, or a device or named pipe given to -o: what went
// out cannot be taken back.
type stream struct {
	*bufio.Writer
	name   string
	closer io.Closer // nil: not ours to close
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

// Abort lets out what is buffered: rows printed before an error are not lost.
func (s *stream) Abort() { _ = s.Commit() }

// named is a writer whose errors say where they were met.
type named struct {
	name string
	w    io.Writer
}

func (n named) Write(p []byte) (int, error) {
	k, err := n.w.Write(p)
	return k, wrap(n.name, err)
}
