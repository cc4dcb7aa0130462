package ptb

import (
	"fmt"

	"fstore/decode/format"
)

// A bracket too many closes a tree too early: what follows shows it. A tree, and
// what follows it up to a place where a tree surely ends, are a group:
//
//	(S (NP x)) (VP y))        a line
//	(S (NP x))                lines, up to a blank one, or one that starts no further
//	  (VP y))                 to the right than the tree, if a tree so far took several
//
// If all of a group is trees, they are. If not, all of it is one bad sentence;
// except in an input that has had several good trees on a line, where only the tree
// before the stray text is bad.
//
// So in an input of one line a tree a tree is complete with its line end, in others
// with the first character after that: a stream that waits for an answer after
// each tree sends a blank line there.

// maxRest bounds how far a group is looked at; what goes on longer is taken to be
// in order.
const maxRest = 1 << 20

// checkRest looks at what follows the tree that ends at pos, and leaves pos there.
// Where the tree turns out to be bad, it goes on to where the next can start.
func (r *Reader) checkRest() {
	at := r.here()
	r.skipBlanks()
	from := r.offset()
	ok := r.inOrder(from)
	if ok || r.seen.inLine && r.offset() > from { // a later tree is before the stray text
		r.checked = max(r.checked, r.offset())
		r.goTo(at)
		return
	}
	msg := r.strayText()
	if r.line == at.line {
		msg += ` after the tree: expected "(" or the end of the line`
	} else {
		msg += fmt.Sprintf(" after the tree that starts on line %d: expected the next tree", r.startLine)
	}
	r.fault(msg)
	if r.seen.inLine {
		r.skipStray()
	} else {
		r.resync()
	}
}

// place is a position that stays valid when text is read.
type place struct {
	pos, lineStart int64 // stream offsets
	line           int
}

// offset is the stream offset of pos.
func (r *Reader) offset() int64 { return r.base + int64(r.pos) }

func (r *Reader) here() place {
	return place{r.offset(), r.base + int64(r.lineStart), r.line}
}

func (r *Reader) goTo(p place) {
	r.pos, r.lineStart, r.line = int(p.pos-r.base), int(p.lineStart-r.base), p.line
	r.full = false
}

// inOrder says whether the group goes on with nothing but trees. It goes to the
// end of the group, or to the stray text.
func (r *Reader) inOrder(from int64) bool {
	switch c := r.text[r.pos]; {
	case c == '\n' && r.line == r.startLine && !r.seen.lines:
		return true
	case (c == '\n' || c == '(') && from < r.checked:
		return true
	}
	depth := 0
	first := false // on its line
	for r.offset() < from+maxRest {
		c := r.skipBlanks()
		switch class[c] {
		case newline:
			r.pos++
			r.line++
			r.lineStart = r.pos
			first = true
			if depth == 0 && r.groupEnds() {
				return true
			}
			continue
		case opening:
			if depth > 0 && first && r.pos-r.lineStart <= r.tree.indent {
				return true // perhaps a new tree: time will tell
			}
			depth++
			r.pos++
		case closing:
			if depth--; depth < 0 {
				return false
			}
			r.pos++
		case nul:
			if r.pos == r.end || depth == 0 {
				return r.pos == r.end
			}
			r.pos++
		default:
			if depth == 0 {
				return r.blockEnd() != ""
			}
			r.atom()
		}
		first = false
	}
	return true
}

// groupEnds says whether the line that starts at pos cannot belong to the tree
// before it.
func (r *Reader) groupEnds() bool {
	if r.line == r.startLine+1 && !r.seen.lines {
		return true
	}
	c := r.skipBlanks()
	return c == '\n' || r.atEnd(c) || r.pos-r.lineStart <= r.tree.indent && c != ')'
}

// strayText describes what is at pos outside trees.
func (r *Reader) strayText() string {
	switch r.text[r.pos] {
	case ')':
		return `")" without "("`
	case 0:
		return "a NUL byte"
	}
	r.forget()
	defer func() { r.full = false }()
	return "the text " + format.Quote(r.atom())
}

// skipStray goes to the next bracket that opens, or to the end of the line.
func (r *Reader) skipStray() {
	r.between = true
	defer func() { r.between = false }()
	for {
		switch c := r.text[r.pos]; {
		case c == '(', c == '\n':
			return
		case !r.atEnd(c):
			r.pos++
		case !r.fill():
			return
		}
	}
}
