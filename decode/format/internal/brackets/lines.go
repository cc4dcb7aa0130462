package brackets

import (
	"bytes"
	"io"

	"fstore/decode/format"
	"fstore/index"
)

// Lines are samples that take a line each. Blank lines, and lines that start with '#',
// are none.
type Lines struct {
	*format.Lines
	Sentence int // of the line that NextSample returned, from 1

	file string
}

// OpenLines returns the samples of r.
func OpenLines(r io.Reader, o format.Options) *Lines {
	return &Lines{Lines: format.NewLines(r, o.Limit()), file: o.File}
}

// NextSample returns the next line that is a sample, valid until the following call. A line
// that is no text is an *index.InputError, after which it goes on; io.EOF, and what else
// the reader returns, are passed on.
func (l *Lines) NextSample() ([]byte, error) {
	for {
		line, err := l.Next()
		switch err := err.(type) {
		case nil:
			if isSample(TrimBlanks(line)) {
				l.Sentence++
				return line, nil
			}
		case *format.LineError:
			l.Sentence++
			return nil, l.Refuse(err.Msg)
		default:
			return nil, err
		}
	}
}

// Refuse returns the error of what is wrong with the sample.
func (l *Lines) Refuse(msg string) error {
	return &index.InputError{File: l.file, Line: l.Number, Sentence: l.Sentence, Msg: msg}
}

// FirstSample returns the first line of a text that is a sample, without the white space
// around it; nil: none is.
func FirstSample(head []byte) []byte {
	for line := range bytes.Lines(head) {
		if line = bytes.TrimSpace(line); isSample(line) {
			return line
		}
	}
	return nil
}

// isSample says whether a line, which starts with no blank, is neither blank nor a comment.
func isSample(line []byte) bool { return len(line) > 0 && line[0] != '#' }
