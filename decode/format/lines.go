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

// Lines cuts a stream into lines. A byte order mark at the start, the line end
// and any '\r' before it are no part of a line.
type Lines struct {
	Number int // of the line that Next returned, 1-based

	src      io.Reader
	limit    int
	buf      []byte // buf[pos:end] is read and not yet returned
	pos, end int
	err      error
}

// LineError is the error of Lines.Next for one line, after which it goes on: the line is
// above the limit, and skipped, or has a NUL byte or invalid UTF-8.
type LineError struct{ Msg string }

func (e *LineError) Error() string { return e.Msg }

// bytesText writes a power of 1,024 as it is usually said.
func bytesText(n int) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}

// TooMuch is the message for a sample above the limit: what is "the line".
func TooMuch(what string, limit int) string {
	return fmt.Sprintf("%s has more than %s of text: expected less", what, bytesText(limit))
}

// NewLines returns the lines of r, none of which may be longer than limit bytes.
func NewLines(r io.Reader, limit int) *Lines {
	return &Lines{src: r, limit: limit}
}

// Next returns the next line, valid until the following call. At the end it
// returns io.EOF; other errors of the reader are passed on, and are final.
// A *LineError is about one line, which is returned where it is at hand.
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

// EachLine calls f for the lines of a file that are not empty. What f says in a *LineError, and what is
// wrong with a line itself, is a fatal *index.InputError.
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

// SkipBlank passes over lines of nothing but spaces and tabs, as far as they have been
// read and are below the limit.
func (l *Lines) SkipBlank() {
	ended := false // by a '\r', after which a line can only end
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

// cut takes the next line off the buffer.
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
			return l.last()
		}
		n := l.end - l.pos
		l.fill()
		seen = l.pos + n
	}
}

// last returns what is left at the end of the stream.
func (l *Lines) last() ([]byte, error) {
	if l.err != io.EOF || l.pos == l.end {
		return nil, l.err
	}
	line := l.buf[l.pos:l.end]
	l.pos = l.end
	return bytes.TrimRight(line, "\r"), nil
}

// skip passes over the rest of a line that is too long.
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

// fill moves what is unread to the front and reads more, at least a byte unless
// it sets err.
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

// ReadSome reads at least a byte, or returns an error.
func ReadSome(r io.Reader, p []byte) (int, error) {
	for range 100 {
		n, err := r.Read(p)
		if n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}
