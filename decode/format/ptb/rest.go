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

// rest is how far what follows has been looked at.
type rest struct {
	checked int64 // stream offset: in order up to here
}

// checkRest looks at what follows the tree that ends at pos, and leaves pos there.
// Where the tree turns out to be bad, it goes on to where the next can start.
func (r *Reader) checkRest() {
	at := r.here()
	ok := r.inOrder(at.pos)
	if ok || r.seen.inLine && !r.follows(at) {
		r.checked = max(r.checked, r.base+int64(r.pos))
		r.goTo(at)
		return
	}
	r.fault(r.strayMessage(at.line))
	if r.seen.inLine {
		r.skipStray()
	} else {
		r.resync(r.started.indent)
	}
}

// place is a position that stays valid when text is read.
type place struct {
	pos, lineStart int64 // stream offsets
	line           int
}

func (r *Reader) here() place {
	return place{r.base + int64(r.pos), r.base + int64(r.lineStart), r.line}
}

func (r *Reader) goTo(p place) {
	r.pos, r.lineStart, r.line = int(p.pos-r.base), int(p.lineStart-r.base), p.line
	r.full = false
}

// follows says whether the stray text at pos comes directly after the tree that
// ends at p.
func (r *Reader) follows(p place) bool {
	stray := r.pos
	r.pos = int(p.pos - r.base)
	r.skipBlanks()
	same := r.pos == stray
	r.pos = stray
	return same
}

// passBracket passes over a backslash where a bracket follows it, which is then text.
func (r *Reader) passBracket() {
	if r.pos+1 == r.end {
		r.fill()
	}
	if next := class[r.text[r.pos+1]]; next == opening || next == closing {
		r.pos++
	}
}

// inOrder says whether the group goes on with nothing but trees. It goes to the
// end of the group, or to the stray text.
func (r *Reader) inOrder(from int64) bool {
	switch c := r.skipBlanks(); {
	case r.atEnd(c):
		return true
	case c == '\n' && r.line == r.startLine && !r.seen.lines:
		return true
	case (c == '\n' || c == '(') && from < r.checked:
		return true
	}
	depth := 0
	first := false // on its line
	for r.base+int64(r.pos) < from+maxRest {
		c := r.text[r.pos]
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
		case space:
			r.pos++
			continue
		case opening:
			if depth > 0 && first && r.pos-r.lineStart <= r.started.indent {
				return true // perhaps a new tree: time will tell
			}
			depth++
		case closing:
			if depth--; depth < 0 {
				return false
			}
		case backslash, inWord:
			if depth == 0 {
				return r.blockEnd() != ""
			}
			if c == '\\' {
				r.passBracket()
			}
		case nul:
			if r.pos == r.end {
				if !r.fill() {
					return true
				}
				continue
			}
			if depth == 0 {
				return false
			}
		}
		first = false
		r.pos++
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
	return c == '\n' || r.atEnd(c) || r.pos-r.lineStart <= r.started.indent && c != ')'
}

// atEnd says whether c, at pos, is the end of what can be read.
func (r *Reader) atEnd(c byte) bool { return c == 0 && r.pos == r.end }

// strayMessage describes the stray text at pos after a tree that ended on line.
func (r *Reader) strayMessage(line int) string {
	text := r.strayText(r.text[r.pos])
	if r.line == line {
		return text + ` after the tree: expected "(" or the end of the line`
	}
	return fmt.Sprintf("%s after the tree that starts on line %d: expected the next tree", text, r.startLine)
}

// strayText describes what is at pos outside trees, which starts with c.
func (r *Reader) strayText(c byte) string {
	switch c {
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
		for c := class[r.text[r.pos]]; c != opening && c != newline && (c != nul || r.pos < r.end); c = class[r.text[r.pos]] {
			r.pos++
		}
		if r.pos < r.end || !r.fill() {
			return
		}
	}
}

// stray refuses text where a tree should start, up to the next line that can start
// one.
func (r *Reader) stray() error {
	r.sentence++
	indent := r.pos - r.lineStart
	if r.line == r.lastLine {
		indent = r.started.indent
	}
	line := r.line
	err := r.inputError(line, r.strayText(r.text[r.pos])+` outside brackets: expected "("`)
	r.resync(indent)
	return err
}
