// Package brackets reads trees on one line, as in svmtk and klp. Words and labels are one alphabet: a word is
// a node without children. Brackets and white space end a name. There are no escapes.
package brackets

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"fstore/decode/format"
	"fstore/index"
)

// Blanks are the characters that are white space within a line.
const Blanks = " \t\r\v\f"

// IsBlank says whether c is white space within a line.
func IsBlank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' && c != '\n' }

// TrimBlanks returns b without the blanks at its start.
func TrimBlanks(b []byte) []byte {
	for len(b) > 0 && IsBlank(b[0]) {
		b = b[1:]
	}
	return b
}

// Field returns the part of b before the first blank.
func Field(b []byte) []byte {
	for i, c := range b {
		if IsBlank(c) {
			return b[:i]
		}
	}
	return b
}

// tree reads the tree at the start of text into b, or skips it if b is nil, and returns its length.
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

// name returns the length of the label or word at the start of b.
func name(b []byte) int {
	for i, c := range b {
		if c == '(' || c == ')' || IsBlank(c) {
			return i
		}
	}
	return len(b)
}

// Lines reads samples that take one line each. Blank lines, and lines that start with '#', are skipped.
type Lines struct {
	*format.Lines
	Sentence int // the number of the sample that NextSample returned last, from 1

	O    format.Options
	B    index.Builder
	T    *index.Tree // the sample being read
	Rest []byte      // the part of the sample's line that has not been read

	attached string // a message about a word that touches a bracket, see tree
}

// OpenLines returns a reader of the samples of r.
func OpenLines(r io.Reader, o format.Options) Lines {
	return Lines{Lines: format.NewLines(r, o.Limit()), O: o, B: index.Builder{Symbols: o.Symbols}}
}

// NextSample returns the next line that is a sample, valid until the next call. A bad line gives an
// *index.InputError, and the next call returns a later line.
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

// Read reads a sample into t. It puts the line into the field Rest, and the given function parses it. An
// error of the function becomes an error about the line, unless it is a *format.OptionError.
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

// Refuse returns an error about the current sample.
func (l *Lines) Refuse(msg string) error {
	return &index.InputError{File: l.O.File, Line: l.Number, Sentence: l.Sentence, Msg: msg}
}

// More skips blanks, and says whether there is more text on the line.
func (l *Lines) More() bool {
	l.Rest = TrimBlanks(l.Rest)
	return len(l.Rest) > 0
}

// Skip skips blanks, and then the mark. It returns whether the mark was there.
func (l *Lines) Skip(mark string) (found bool) {
	l.More()
	l.Rest, found = bytes.CutPrefix(l.Rest, []byte(mark))
	return found
}

// Tree reads or skips a tree, if a tree comes next. A name for which isMark is true is an error.
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

// Field returns the text up to the next blank, quoted for a message.
func (l *Lines) Field() string { return format.Quote(Field(l.Rest)) }

// FirstSample returns the first line of the text that is a sample, without white space around it, or nil.
func FirstSample(head []byte) []byte {
	for line := range bytes.Lines(head) {
		if line = bytes.TrimSpace(line); isSample(line) {
			return line
		}
	}
	return nil
}

// isSample says whether a line is neither empty nor a comment. The line must not start with a blank.
func isSample(line []byte) bool { return len(line) > 0 && line[0] != '#' }

// AppendTree appends the tree at root. A node without children is written as `(w)`, as in fragments. Names
// are written as AppendName writes them.
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

// nameOf returns the label or the word of node i.
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

// AppendName appends a name in a form that a tree can contain. Brackets become -LRB- and -RRB-, and white
// space becomes '_'. An empty name becomes '_', and so does a mark of the format such as |ET|.
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

// fits says whether a tree can contain the name without changes.
func fits(name []byte, isMark func(name []byte) bool) bool {
	return len(name) > 0 && !(name[0] == '|' && isMark(name)) && !bytes.ContainsAny(name, "()\n\x00"+Blanks)
}

// Changed counts the names of t that AppendTree writes in another form.
func Changed(t *index.Tree, s *index.Symbols, isMark func(name []byte) bool) (n int) {
	for i := range t.Nodes {
		if !fits(nameOf(t, i, s), isMark) {
			n++
		}
	}
	return n
}
