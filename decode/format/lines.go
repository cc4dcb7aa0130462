package format

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"fstore/index"
)

const (
	chunk      = 256 << 10
	firstChunk = 16 << 10 // enough for a small file
)

// Lines cuts a stream into lines. It removes line ends, and a byte order mark at the start.
type Lines struct {
	Number int // the number of the line that Next returned last, from 1

	src      io.Reader
	limit    int
	buf      []byte // buf[pos:end] has been read but not yet returned
	pos, end int
	err      error
}

// LineError is an error of Lines.Next about one line: too long, a NUL byte, or invalid UTF-8. The next call
// of Next returns the line after it.
type LineError struct{ Msg string }

func (e *LineError) Error() string { return e.Msg }

// bytesText returns n bytes as text, in MiB or KiB if n is a whole number of them.
func bytesText(n int) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}

// TooMuch returns the message that a text, such as "the line", has more bytes than allowed.
func TooMuch(what string, limit int) string {
	return fmt.Sprintf("%s has more than %s of text: expected less", what, bytesText(limit))
}

// NewLines returns the lines of r. A line longer than limit bytes is an error.
func NewLines(r io.Reader, limit int) *Lines {
	return &Lines{src: r, limit: limit}
}

// Next returns the next line, valid until the next call, or an error:
//   - io.EOF: the end
//   - *LineError: a bad line; Next returns the line too, unless it is too long
//   - any other error: an error of the reader, which ends the lines
func (l *Lines) Next() ([]byte, error) {
	line, err := l.cut()
	if err != nil {
		if _, long := err.(*LineError); long {
			l.Number++
		}
		return nil, err
	}
	if l.Number++; l.Number == 1 {
		if other := Encoding(line); other != "" {
			return line, &LineError{other + ": expected UTF-8 text"}
		}
		line = TrimBOM(line)
	}
	if i := bytes.IndexByte(line, 0); i >= 0 {
		return line, &LineError{fmt.Sprintf("a NUL byte at column %d: expected text", i+1)}
	}
	if i := FirstInvalid(line); i >= 0 {
		return line, &LineError{fmt.Sprintf("invalid UTF-8 at column %d: expected UTF-8 text", i+1)}
	}
	return line, nil
}

// EachLine calls f for each nonempty line of a file. A bad line, or a *LineError from f, becomes a fatal
// *index.InputError.
func EachLine(r io.Reader, file string, limit int, f func(line []byte) error) error {
	lines := NewLines(r, limit)
	for {
		line, err := lines.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil && len(line) > 0 {
			err = f(line)
		}
		if bad, ok := errors.AsType[*LineError](err); ok {
			return &index.InputError{File: file, Line: lines.Number, Msg: bad.Msg, Fatal: true}
		}
		if err != nil {
			return err
		}
	}
}

// SkipBlank skips blank lines within the buffer, but not a line that is too long.
func (l *Lines) SkipBlank() {
	ended := false // a '\r' was seen: only a line end is allowed after it
	for i := l.pos; i < l.end && i-l.pos <= l.limit; i++ {
		switch c := l.buf[i]; {
		case c == '\n':
			l.Number++
			l.pos = i + 1
			ended = false
		case c == '\r':
			ended = true
		case c != ' ' && c != '\t' || ended:
			return
		}
	}
}

// cut returns the next line and removes it from the buffer.
func (l *Lines) cut() ([]byte, error) {
	for seen := l.pos; ; {
		if i := bytes.IndexByte(l.buf[seen:l.end], '\n'); i >= 0 {
			line := l.buf[l.pos : seen+i]
			l.pos = seen + i + 1
			if len(line) > l.limit {
				return nil, l.tooLong()
			}
			return bytes.TrimRight(line, "\r"), nil
		}
		if l.end-l.pos > l.limit {
			return nil, l.skip()
		}
		if l.err != nil {
			return l.lastLine()
		}
		n := l.end - l.pos
		l.fill()
		seen = l.pos + n
	}
}

// lastLine returns the rest of the text at the end of the stream, as the last line.
func (l *Lines) lastLine() ([]byte, error) {
	if l.err != io.EOF || l.pos == l.end {
		return nil, l.err
	}
	line := l.buf[l.pos:l.end]
	l.pos = l.end
	return bytes.TrimRight(line, "\r"), nil
}

// skip skips the rest of a line that is too long.
func (l *Lines) skip() error {
	for {
		if i := bytes.IndexByte(l.buf[l.pos:l.end], '\n'); i >= 0 {
			l.pos += i + 1
			return l.tooLong()
		}
		l.pos = l.end
		if l.err == io.EOF {
			return l.tooLong()
		}
		if l.err != nil {
			return l.err
		}
		l.fill()
	}
}

func (l *Lines) tooLong() error { return &LineError{TooMuch("the line", l.limit)} }

// fill reads at least one more byte into the buffer, or sets the field `err`.
func (l *Lines) fill() {
	if l.pos > 0 {
		l.end = copy(l.buf, l.buf[l.pos:l.end])
		l.pos = 0
	}
	if size := len(l.buf); size-l.end <= size/2 {
		grown := make([]byte, firstChunk)
		if size > 0 {
			grown = make([]byte, max(chunk, 2*size))
		}
		copy(grown, l.buf[:l.end])
		l.buf = grown
	}
	var n int
	n, l.err = ReadSome(l.src, l.buf[l.end:])
	l.end += n
}

// ReadSome reads at least one byte into p, or returns an error.
func ReadSome(r io.Reader, p []byte) (int, error) {
	for range 100 {
		n, err := r.Read(p)
		if n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}
