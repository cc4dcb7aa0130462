package ptb

import (
	"errors"
	"fmt"
	"io"

	"fstore/decode/format"
	"fstore/index"
)

// Line reads trees that take one line each, for formats with other text between these lines.
type Line struct{ parser }

// NewLine returns a Line, which can read any number of lines.
func NewLine(o format.Options) *Line { return &Line{parser{shape: newShape(o)}} }

// Read reads the tree on the line into t. If it returns an error, it has removed the symbols of the tree.
func (l *Line) Read(t *index.Tree, line []byte) error {
	l.buffer = buffer{
		text: append(append(l.text[:0], line...), 0), end: len(line), limit: len(line) + 1, err: io.EOF,
		scratch: l.scratch,
	}
	l.begin(t, 0, false)
	msg := l.read()
	if msg == "" && l.needsNote() {
		l.pos = 0
		l.begin(t, 0, true)
		msg = l.read()
	}
	if msg == "" {
		msg = l.complete()
	}
	if msg != "" {
		l.b.Undo()
		return errors.New(msg)
	}
	return nil
}

// Tell reports what is odd about the tree read last. The caller must set the tree's Line before this call.
func (l *Line) Tell() { l.tell() }

// read reads the brackets of the line. It returns a message if they are wrong.
func (l *Line) read() (msg string) {
	if l.skipSpace() != '(' {
		return format.Quote(l.atom()) + ": expected a tree"
	}
	for l.msg = ""; l.isGood(); {
		c := l.skipSpace()
		if c == 0 {
			return fmt.Sprintf(`%s open at the end of the line: expected ")"`, index.Plural(l.depth, "bracket"))
		}
		if l.take(c); l.depth == 0 && l.isGood() {
			return l.trailing(l.skipSpace())
		}
	}
	return l.msg
}

// trailing checks the text after the last bracket of a line, given the first byte of this text.
func (l *Line) trailing(c byte) (msg string) {
	switch c {
	case 0:
		return ""
	case ')':
		return `")" without "(" after the tree: expected the end of the line`
	}
	return format.Quote(l.text[l.pos:l.end]) + " after the tree: expected the end of the line"
}
