package ptb

import (
	"errors"
	"fmt"

	"fstore/decode/format"
	"fstore/index"
)

// Line reads trees that take a line each, for formats that have brackets among
// other things. What a bracket becomes is as everywhere in this package.
type Line struct {
	shape
	text    []byte
	pos     int
	scratch []byte
}

// NewLine returns a reader of lines.
func NewLine(o format.Options) *Line { return &Line{shape: newShape(o)} }

// Read reads the tree that line is into t. On an error it leaves nothing of it.
func (l *Line) Read(t *index.Tree, line []byte) error {
	l.begin(t, 0)
	l.text, l.pos = line, 0
	err := l.read()
	if err != nil {
		l.b.Undo()
	}
	return err
}

// Tell says what is odd about the tree read last, whose Line has been set.
func (l *Line) Tell() { l.tell() }

func (l *Line) read() error {
	if l.next() != '(' {
		return fmt.Errorf("%s: expected a tree", format.Quote(l.atom()))
	}
	for {
		switch l.next() {
		case '(':
			l.pos++
			if err := l.open(); err != nil {
				return err
			}
		case ')':
			l.pos++
			l.close()
			if l.depth == 0 {
				return l.end()
			}
		case 0:
			return fmt.Errorf(`%s open at the end of the line: expected ")"`, index.Plural(l.depth, "bracket"))
		default:
			from := l.pos
			w := l.atom()
			l.attach(l.text, from, l.pos)
			if !l.addWord(w) {
				return fmt.Errorf(`the word %s beside trees in an unlabelled bracket: expected "(" or ")"`, format.Quote(w))
			}
		}
	}
}

// open reads the label of a bracket that has just been passed.
func (l *Line) open() error {
	switch l.next() {
	case '(':
		if l.depth > l.wrapped {
			return errors.New("a bracket without a label inside a tree: expected a label")
		}
		l.openBracket(nil)
	case ')':
		return errors.New(`"()" has neither label nor child: expected a label`)
	case 0:
		l.openBracket(nil) // read finds out why
	default:
		l.openBracket(l.atom())
	}
	return nil
}

// end finishes a tree whose brackets are all closed.
func (l *Line) end() error {
	if c := l.next(); c == ')' {
		return errors.New(`")" without "(" after the tree: expected the end of the line`)
	} else if c != 0 {
		return fmt.Errorf("%s after the tree: expected the end of the line", format.Quote(l.text[l.pos:]))
	}
	if msg := l.complete(); msg != "" {
		return errors.New(msg)
	}
	return nil
}

// next passes over white space and returns the byte that ends it, 0 at the end.
func (l *Line) next() byte {
	for ; l.pos < len(l.text); l.pos++ {
		if c := l.text[l.pos]; class[c] != space {
			return c
		}
	}
	return 0
}

// atom reads a word or a label.
func (l *Line) atom() []byte {
	from, escaped := l.pos, false
loop:
	for ; l.pos < len(l.text); l.pos++ {
		switch class[l.text[l.pos]] {
		case backslash:
			if n := l.pos + 1; n < len(l.text) && (l.text[n] == '(' || l.text[n] == ')') {
				escaped = true
				l.pos++
			}
		case inWord:
		default:
			break loop
		}
	}
	w := l.text[from:l.pos]
	if escaped {
		l.scratch = appendUnescaped(l.scratch[:0], w)
		return l.scratch
	}
	return w
}
