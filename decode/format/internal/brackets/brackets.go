// Package brackets reads trees of one alphabet within a line, as svmtk and klp have
// them: a word is a childless node, brackets and white space delimit names, and
// nothing escapes them.
package brackets

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"fstore/decode/format"
	"fstore/index"
)

// Blanks are white space within a line.
const Blanks = " \t\r\v\f"

// IsBlank says whether c is white space within a line.
func IsBlank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' && c != '\n' }

// TrimBlanks returns b without the blanks that it starts with.
func TrimBlanks(b []byte) []byte {
	for len(b) > 0 && IsBlank(b[0]) {
		b = b[1:]
	}
	return b
}

// Field returns the start of b up to a blank.
func Field(b []byte) []byte {
	for i, c := range b {
		if IsBlank(c) {
			return b[:i]
		}
	}
	return b
}

// tree reads the tree that text starts with, at its bracket, into b, or passes over
// it where b is nil. It returns the length of the tree. A name for which isMark is
// true ends it, which is an error. attached is set to what is said of the first word that does
// not stand apart from a bracket.
func tree(b *index.Builder, text []byte, isMark func(name []byte) bool, attached *string) (int, error) {
	p := 0
	for depth := 0; ; {
		for p < len(text) && IsBlank(text[p]) {
			p++
		}
		if p == len(text) {
			return p, open(depth, "the end of the line")
		}
		switch text[p] {
		case '(':
			for p++; p < len(text) && IsBlank(text[p]); p++ {
			}
			n := name(text[p:])
			if n == 0 {
				return p, nameless(text[p:], depth)
			}
			if b != nil {
				b.Open(text[p : p+n])
			}
			p += n
			depth++
		case ')':
			if b != nil {
				b.Close()
			}
			p++
			if depth--; depth == 0 {
				return p, nil
			}
		default:
			n := name(text[p:])
			if text[p] == '|' && isMark(text[p:p+n]) {
				return p, open(depth, string(text[p:p+n]))
			}
			if b != nil {
				b.Word(text[p : p+n])
				if *attached == "" {
					*attached = format.AttachedWord(text, p, p+n)
				}
			}
			p += n
		}
	}
}

func open(depth int, where string) error {
	return fmt.Errorf("%s open at %s: expected \")\"", index.Plural(depth, "bracket"), where)
}

func nameless(rest []byte, depth int) error {
	if len(rest) == 0 {
		return open(depth+1, "the end of the line")
	}
	return fmt.Errorf("a bracket without a label, \"(%c\": expected a label", rest[0])
}

// name is the length of the label or word that b starts with.
func name(b []byte) int {
	for i, c := range b {
		if c == '(' || c == ')' || IsBlank(c) {
			return i
		}
	}
	return len(b)
}

// Lines are samples that take a line each. Blank lines, and lines that start with '#',
// are none.
type Lines struct {
	*format.Lines
	Sentence int // of the line that NextSample returned, from 1

	O    format.Options
	B    index.Builder
	T    *index.Tree // the sample
	Rest []byte      // what is left of its line

	attached string // a word of the line that does not stand apart from a bracket
}

// OpenLines returns the samples of r.
func OpenLines(r io.Reader, o format.Options) Lines {
	return Lines{Lines: format.NewLines(r, o.Limit()), O: o, B: index.Builder{Symbols: o.Symbols}}
}

// NextSample returns the next line that is a sample, valid until the following call. A line
// that is no text is an *index.InputError, after which it goes on; io.EOF, and what else
// the reader returns, are passed on.
func (l *Lines) NextSample() ([]byte, error) {
	for {
		line, err := l.Lines.Next()
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

// Read makes a sample of a line: read takes it off Rest. An error of read that is no
// *format.OptionError refuses the line.
func (l *Lines) Read(t *index.Tree, line []byte, read func() error) error {
	l.B.Start(t, true)
	t.Line = l.Number
	l.T, l.Rest, l.attached = t, line, ""
	if err := read(); err != nil {
		l.B.Undo()
		if _, isOption := errors.AsType[*format.OptionError](err); isOption {
			return err
		}
		return l.Refuse(err.Error())
	}
	if l.attached != "" && l.O.Notice != nil {
		l.O.Notice(format.Attached, t.Line, l.attached+": it is a node of its own; brackets in a name are written -LRB- and -RRB-")
	}
	return nil
}

// Refuse returns the error of what is wrong with the sample.
func (l *Lines) Refuse(msg string) error {
	return &index.InputError{File: l.O.File, Line: l.Number, Sentence: l.Sentence, Msg: msg}
}

// More passes over blanks, and says whether anything is left of the line.
func (l *Lines) More() bool {
	l.Rest = TrimBlanks(l.Rest)
	return len(l.Rest) > 0
}

// Skip passes over blanks and mark, if it is next.
func (l *Lines) Skip(mark string) (found bool) {
	l.More()
	l.Rest, found = bytes.CutPrefix(l.Rest, []byte(mark))
	return found
}

// Tree reads a tree, if one is next, or passes over it where keep is false. A name for which
// isMark is true ends it, which is an error.
func (l *Lines) Tree(keep bool, isMark func(name []byte) bool) error {
	if !l.More() || l.Rest[0] != '(' {
		return nil
	}
	b := &l.B
	if !keep {
		b = nil
	}
	n, err := tree(b, l.Rest, isMark, &l.attached)
	l.Rest = l.Rest[n:]
	return err
}

// Field returns what is left of the line up to a blank, as messages show it.
func (l *Lines) Field() string { return format.Quote(Field(l.Rest)) }

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

// AppendTree appends the tree at root. Every childless node is written as `(w)`, as in
// fragments. Names are written as AppendName does.
func AppendTree(dst []byte, t *index.Tree, root int, s *index.Symbols, isMark func(name []byte) bool) []byte {
	end := root + int(t.Nodes[root].Size)
	for i := root; i < end; i++ {
		v := &t.Nodes[i]
		if i > root {
			dst = append(dst, ' ')
		}
		dst = append(dst, '(')
		dst = AppendName(dst, nameOf(t, i, s), isMark)
		if v.Size > 1 {
			continue
		}
		dst = append(dst, ')')
		for p := v.Parent; p >= 0 && int(p+t.Nodes[p].Size) == i+1; p = t.Nodes[p].Parent {
			dst = append(dst, ')')
		}
	}
	return dst
}

// nameOf is the label or the word of node i.
func nameOf(t *index.Tree, i int, s *index.Symbols) []byte {
	if t.Nodes[i].Word {
		return s.Bytes(index.Words, t.Nodes[i].Sym)
	}
	return s.Bytes(index.Labels, t.Nodes[i].Sym)
}

var escape = map[byte]string{
	'(': "-LRB-", ')': "-RRB-",
	' ': "_", '\t': "_", '\n': "_", '\r': "_", '\v': "_", '\f': "_", 0: "_",
}

// AppendName appends a name as it can stand in a tree: nothing escapes there, so a
// bracket becomes -LRB- or -RRB-, white space '_', and a name that is a mark, or empty,
// '_' as well.
func AppendName(dst, name []byte, isMark func(name []byte) bool) []byte {
	switch {
	case fits(name, isMark):
		return append(dst, name...)
	case len(name) == 0 || isMark(name):
		return append(dst, '_')
	}
	for _, c := range name {
		if e, ok := escape[c]; ok {
			dst = append(dst, e...)
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}

// fits says whether a name can stand in a tree as it is.
func fits(name []byte, isMark func(name []byte) bool) bool {
	return len(name) > 0 && !(name[0] == '|' && isMark(name)) && !bytes.ContainsAny(name, "()\n\x00"+Blanks)
}

// Changed counts the names that AppendTree writes otherwise than they are.
func Changed(t *index.Tree, s *index.Symbols, isMark func(name []byte) bool) (n int) {
	for i := range t.Nodes {
		if !fits(nameOf(t, i, s), isMark) {
			n++
		}
	}
	return n
}
