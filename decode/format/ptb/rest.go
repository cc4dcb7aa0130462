package ptb

import (
	"fmt"

	"fstore/decode/format"
)

// A closing bracket too many ends a tree too early, and only the text after the tree shows this. So a tree
// and the text after it are checked as a group:
//
//	(S (NP x)) (VP y))
//
// A group ends with its line. If a tree so far took several lines, a group goes on up to a blank line, or up
// to a line that is indented no more than the tree:
//
//	(S (NP x))
//	  (VP y))
//
// If a group contains only trees, all are good. Otherwise the group is one bad sentence. But if the input has
// had several good trees on one line, only the tree before the stray text is bad.
//
// If trees take several lines, a tree is complete only when the next line has begun. So a program that sends
// a tree and waits for the answer must send a blank line after the tree.

// maxRest is how many bytes of a group are checked. A group that is longer counts as good.
const maxRest = 1 << 20

// checkRest checks the text after the tree that ends at pos. After a bad tree, pos is where the next tree can
// start.
func (r *Reader) checkRest() {
	at := r.here()
	r.skipBlanks()
	from := r.offset()
	ok := r.inOrder(from)
	if ok || r.seen.inLine && r.offset() > from { // the stray text follows a later tree
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

// inOrder says whether the group contains only trees. If not, r.pos is at the stray text.
func (r *Reader) inOrder(from int64) bool {
	switch c := r.text[r.pos]; {
	case c == '\n' && r.line == r.startLine && !r.seen.lines:
		return true
	case (c == '\n' || c == '(') && from < r.checked:
		return true
	}
	depth := 0
	first := false // no other text stands before pos on its line
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
				return true // it may be a new tree, which is checked later
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

// groupEnds says whether the line at pos certainly does not belong to the tree before it.
func (r *Reader) groupEnds() bool {
	if r.line == r.startLine+1 && !r.seen.lines {
		return true
	}
	c := r.skipBlanks()
	return c == '\n' || r.atEnd(c) || r.pos-r.lineStart <= r.tree.indent && c != ')'
}

// strayText returns, for a message, a description of the text at pos, which is outside all trees.
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

// skipStray moves to the next opening bracket, or to the end of the line.
func (r *Reader) skipStray() {
	r.betweenTrees = true
	defer func() { r.betweenTrees = false }()
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
