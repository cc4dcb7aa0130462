package ptb

import (
	"bytes"
	"fmt"
	"io"

	"fstore/decode/format"
	"fstore/index"
)

// recovery decides what is left out after an error.
//
// A tree whose brackets close is left out as it stands. A tree that is never
// closed swallows what follows it, up to the end of the input. Its end is then
// taken to be the first later line that starts with a bracket in column 0, and
// reading goes on there. As a legal tree may have such lines too, nothing is
// decided before the end of the input is seen, except that after one such
// failure, in an input that has shown no legal tree of that kind, a bracket in
// column 0 always ends the tree before it. So the text is read at most a few
// times over.
type recovery struct {
	strict    bool  // a bracket in column 0 starts a tree
	flushLeft bool  // a good tree had inner brackets in column 0
	reread    int64 // bytes read again
	indented  bool  // a good tree started its line, but not in column 0

	startLine int // of this tree
	inset     bool
	inner     bool // it has inner brackets in column 0
	lastLine  int  // of the tree before

	msg     string // the first thing wrong with this tree, "" for nothing
	msgLine int
	msgAt   int64 // stream offset
}

// beginTree starts with a clean slate at the tree's bracket.
func (r *Reader) beginTree() {
	r.msg, r.inner = "", false
	r.startLine = r.line
	r.inset = r.pos != r.lineStart && r.line != r.lastLine
}

// fault notes what is wrong at pos; the first one counts.
func (r *Reader) fault(msg string) { r.faultAt(r.line, r.pos, msg) }

func (r *Reader) faultAt(line, pos int, msg string) {
	if r.msg == "" {
		r.msg, r.msgLine, r.msgAt = msg, line, r.base+int64(pos)
	}
}

// fine says whether nothing was wrong so far.
func (r *Reader) fine() bool { return r.msg == "" }

// checkText finds bad bytes before pos.
func (r *Reader) checkText() {
	if r.bad < 0 || r.bad >= r.pos || r.msg != "" && r.msgAt < r.base+int64(r.bad) {
		return
	}
	r.msg = ""
	line := r.startLine + bytes.Count(r.text[r.keep:r.bad], []byte{'\n'})
	r.faultAt(line, r.bad, fmt.Sprintf("invalid UTF-8 (byte %#02x): expected UTF-8 text", r.text[r.bad]))
}

// accept counts a good tree.
func (r *Reader) accept() {
	r.sentence++
	r.lastLine = r.line
	r.flushLeft = r.flushLeft || r.inner
	r.indented = r.indented || r.inset
}

// refuse returns the error of this tree, and forgets the tree.
func (r *Reader) refuse() error {
	r.sentence++
	r.lastLine = r.line
	r.b.Undo()
	if cap(r.t.Nodes) > maxSpare {
		r.t.Nodes = nil
	}
	return r.inputError(r.msgLine, r.msg)
}

// maxSpare is how many nodes' memory a refused tree may leave behind.
const maxSpare = 1 << 20

func (r *Reader) inputError(line int, msg string) error {
	return &index.InputError{File: r.file, Line: line, Sentence: r.sentence, Msg: msg}
}

// tail looks at the rest of the line of a tree that has ended. Text there makes
// the tree a bad one: its brackets do not mean what they seem to.
func (r *Reader) tail() {
	r.between = true
	c := r.skipBlanks()
	if c != '\n' && c != '(' && r.pos < r.end {
		r.fault(r.strayText(c) + ` after the tree: expected "(" or the end of the line`)
		r.skipStray()
	}
	r.between = false
}

// skipStray goes to the next bracket that opens, or to the end of the line.
func (r *Reader) skipStray() {
	for {
		for c := class[r.text[r.pos]]; c != opening && c != newline && (c != nul || r.pos < r.end); c = class[r.text[r.pos]] {
			r.pos++
		}
		if r.pos < r.end || !r.fill() {
			return
		}
	}
}

// stray refuses text between trees, up to the next line that can start a tree.
func (r *Reader) stray() error {
	r.sentence++
	err := r.inputError(r.line, r.strayText(r.text[r.pos])+` outside brackets: expected "("`)
	r.resync()
	return err
}

// strayText describes what is at pos between trees, which starts with c.
func (r *Reader) strayText(c byte) string {
	switch c {
	case ')':
		return `")" without "("`
	case 0:
		return "a NUL byte"
	}
	r.forget()
	r.between = false
	text := format.Quote(r.atom())
	r.between, r.full = true, false
	return "the text " + text
}

// resync goes on to the next line that can start a tree: one with a bracket in
// column 0, or after blanks in an input that has such trees.
func (r *Reader) resync() {
	for {
		r.skipLine()
		if r.indented {
			r.skipBlanks()
		}
		if r.pos == r.end && !r.fill() || r.text[r.pos] == '(' {
			return
		}
	}
}

// inColumnZero sees a bracket in column 0 inside a tree, and says whether the
// tree is known to end before it.
func (r *Reader) inColumnZero() bool {
	if r.resume < 0 {
		r.resume = r.pos
	}
	r.inner = true
	return r.strict
}

// truncated refuses a tree that is open at pos: the end of the input or of what
// may be kept, or a bracket in column 0.
func (r *Reader) truncated() error {
	if r.pos == r.end && !r.full && r.err != io.EOF {
		r.b.Undo()
		return r.err
	}
	r.checkText()
	if r.resume >= 0 && r.msg != "" && r.msgAt >= r.base+int64(r.resume) {
		r.msg = "" // it belongs to a later tree
	}
	r.faultAt(r.startLine, r.keep, r.truncation())
	err := r.refuse()
	switch {
	case r.resume >= 0:
		r.goBack()
	case r.full:
		r.full = false
		r.between = true
		r.resync()
		r.between = false
	}
	return err
}

// truncation says where the tree is found to be open.
func (r *Reader) truncation() string {
	open := format.Plural(r.depth, "bracket")
	switch {
	case r.full:
		return format.TooMuch("a tree that starts here,", r.limit)
	case r.pos < r.end:
		return fmt.Sprintf(`the tree that starts here is truncated: %s open where line %d starts the next tree, expected ")"`, open, r.line)
	}
	return fmt.Sprintf(`the tree that starts here is truncated: %s open at the end of the input, expected ")"`, open)
}

// goBack goes on at the line where the truncated tree must have ended.
func (r *Reader) goBack() {
	r.reread += int64(r.pos - r.resume)
	const free = 64 << 20
	if !r.flushLeft || r.reread > free+4*(r.base+int64(r.pos)) {
		r.strict = true
	}
	r.rewind(r.resume)
}
