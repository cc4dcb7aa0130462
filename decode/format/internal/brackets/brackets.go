// Package brackets reads trees of one alphabet within a line, as svmtk and klp have
// them: a word is a childless node, brackets and white space delimit names, and
// nothing escapes them.
package brackets

import (
	"fmt"

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

// Tree reads the tree that text starts with, at its bracket, into b, or passes over
// it where b is nil. It returns the length of the tree. A name for which isMark is
// true ends it, which is an error. Where attached is not nil, it is set to what is said of
// the first word that does not stand apart from a bracket.
func Tree(b *index.Builder, text []byte, isMark func(name []byte) bool, attached *string) (int, error) {
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
				if attached != nil && *attached == "" {
					*attached = format.AttachedWord(text, p, p+n)
				}
			}
			p += n
		}
	}
}

// TellAttached says what Tree found, of a good sample that starts on a line.
func TellAttached(o *format.Options, line int, attached string) {
	if attached != "" && o.Notice != nil {
		o.Notice(format.Attached, line, attached+": it is a node of its own; brackets in a name are written -LRB- and -RRB-")
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
