package ptb

import (
	"bytes"
	"fmt"
	"io"

	"fstore/decode/format"
	"fstore/index"
)

// recovery decides which text is left out after an error.
//
// A bad tree whose brackets close is left out. If the text after the tree shows that its brackets close in
// the wrong place, that text is left out too: see rest.go.
//
// A tree that is never closed would swallow all text after it. So it ends before the first flush line: a line
// that starts with a bracket no further to the right than the first bracket of the tree. But good trees can
// have flush lines inside: see endsBefore.
//
// A legal tree can contain any line, so usually only the end of the input shows that a tree is not closed.
// After the first such tree, a flush line can end a tree at once. Otherwise the same text would be read too
// often.
type recovery struct {
	startLine int
	lastLine  int    // line on which the previous tree ended
	resume    ending // where the tree ended if it turns out not to be closed
	bare      ending // where the first tree ended if it turns out that trees have no wrappers

	tree    style // the style of this tree
	seen    style // the styles of all good trees
	good    int   // number of good trees
	resumed bool  // reading has gone on after an error
	strict  bool  // a line that can start a tree is taken to start one
	forced  bool  // like strict, but also if good trees have such lines inside
	reread  int64 // number of bytes read more than once
	checked int64 // stream offset up to which checkRest found no error
}

// ending is a place inside a tree where the tree may have ended (see recovery).
type ending struct {
	streamPosition      // if line is 0, there is no such place
	depth          int  // number of brackets that are open there
	sure           bool // no good tree has such a line inside
}

// style describes how trees are laid out in the text.
type style struct {
	indent     int  // the rightmost column, from 0, in which a tree at the start of a line begins
	inLine     bool // a tree follows another tree on the same line
	lines      bool // a tree takes several lines
	unled      bool // a tree, not the first, has no blank line before it
	flush      bool // a tree has flush lines inside
	flushBlank bool // a flush line inside follows a blank line
	flushBare  bool // a flush line starts a wrapper inside a wrapper that contains nothing else
}

// add adds the style of another tree.
func (s *style) add(t style) {
	s.indent = max(s.indent, t.indent)
	s.inLine = s.inLine || t.inLine
	s.lines = s.lines || t.lines
	s.unled = s.unled || t.unled
	s.flush = s.flush || t.flush
	s.flushBlank = s.flushBlank || t.flushBlank
	s.flushBare = s.flushBare || t.flushBare
}

// start prepares to read what begins at pos: a tree, or text that is no tree.
func (r *Reader) start(t *index.Tree) {
	r.tree.inLine = r.line == r.lastLine
	if !r.tree.inLine {
		r.tree.indent = r.pos - r.lineStart
	}
	r.tree.unled = r.good > 0 && r.newlines <= 1 && !r.resumed
	r.resumed = false
	r.begin(t, false)
}

// begin forgets everything about the last tree, and starts the tree at pos.
func (r *Reader) begin(t *index.Tree, noteIsTree bool) {
	r.shape.begin(t, r.line, noteIsTree)
	r.msg = ""
	r.resume, r.bare = ending{}, ending{}
	r.tree.flush, r.tree.flushBlank, r.tree.flushBare = false, false, false
	r.startLine = r.line
}

// checkText reports a byte before pos that is not valid UTF-8.
func (r *Reader) checkText() {
	if r.bad < 0 || r.bad >= r.pos || r.msg != "" && r.msgAt < r.base+int64(r.bad) {
		return
	}
	r.msg = ""
	line := r.startLine + bytes.Count(r.text[r.keep:r.bad], []byte{'\n'})
	r.faultAt(line, r.bad, fmt.Sprintf("invalid UTF-8 (byte %#02x): expected UTF-8 text", r.text[r.bad]))
}

// accept counts a good tree and adds its style.
func (r *Reader) accept() {
	r.sentence++
	r.good++
	r.tree.lines = r.line > r.startLine
	r.seen.add(r.tree)
}

// maxSpare is the maximum number of nodes whose memory is kept for reuse after a refused tree.
const maxSpare = 1 << 20

// refuse drops the current tree and returns its error.
func (r *Reader) refuse() error {
	r.sentence++
	r.b.Undo()
	if cap(r.t.Nodes) > maxSpare {
		r.t.Nodes = nil
	}
	return &index.InputError{File: r.file, Line: r.msgLine, Sentence: r.sentence, Msg: r.msg}
}

// endsBefore says whether the tree certainly ends before the line that starts with c. It records a possible
// end (resumeAt).
func (r *Reader) endsBefore(c byte) bool {
	if r.depth == 0 || r.pos-r.lineStart > r.tree.indent {
		return false
	}
	blank := r.newlines > 1
	here := ending{streamPosition: r.here(), depth: r.depth}
	if c != '(' {
		if r.blockEnd() == "" {
			return false
		}
		here.sure = true
		r.resumeAt(here)
		return true
	}
	outer := r.depth == r.wrapped
	bare := outer && !r.hasContent()
	wrapper := r.isWrapper()
	if wrapper && !bare {
		if r.seen.flush && !r.resume.sure {
			r.resume = ending{} // the place in resume may be a legal bracket inside
		}
		return true
	}
	r.tree.flush = true
	r.tree.flushBlank = r.tree.flushBlank || blank
	r.tree.flushBare = r.tree.flushBare || wrapper
	here.sure = wrapper && !r.seen.flushBare
	if bare && r.good == 0 { // the input may have each wrapper on a line of its own
		if here.sure {
			r.resumeAt(here)
		} else {
			r.bare = here
		}
		return false
	}
	if outer && r.bare.line > 0 && !r.resume.sure { // … or it has no wrappers, and this line starts another tree
		r.resume, r.bare = r.bare, ending{}
	}
	// Blank lines tell where trees start if every good tree but the first follows one, and no flush line
	// inside a good tree does.
	tells := r.seen.flush && !r.seen.flushBlank && !r.seen.unled && r.good > 1
	if tells && !blank && !here.sure {
		return false
	}
	r.resumeAt(here)
	return r.forced || r.strict && (tells || here.sure || !r.seen.flush)
}

// resumeAt records a place where the tree may have ended. Only the first one counts.
func (r *Reader) resumeAt(e ending) {
	if r.resume.line == 0 {
		r.resume = e
	}
}

// isWrapper says whether the bracket at pos has no label. Only the first brackets of a tree have none.
func (r *Reader) isWrapper() bool {
	at := r.here()
	r.pos++
	c := r.skipSpace()
	r.goTo(at)
	return c == '('
}

// truncated refuses a tree that is not closed at pos, where reading the tree ends.
func (r *Reader) truncated() error {
	if r.pos == r.end && !r.full && r.err != io.EOF {
		r.b.Undo()
		return r.err
	}
	if !r.full { // a rune may be cut in two at the limit
		r.checkText()
	}
	at := r.offset()
	end := at
	if r.resume.line > 0 {
		end = r.resume.pos
	}
	if r.msgAt >= end {
		r.msg = "" // the error belongs to a later tree
	}
	r.faultAt(r.startLine, r.keep, r.truncation())
	r.lastLine = 0 // the next tree starts on a new line
	switch {
	case r.resume.line > 0: // read again from that place
		const free = 64 << 20
		r.reread += at - r.resume.pos
		r.strict = true
		r.forced = r.forced || r.reread > free+4*at
		r.goTo(r.resume.streamPosition)
		r.resumed = true
	case r.full:
		r.full = false
		r.resync()
	}
	return r.refuse()
}

// truncation returns a message that says which part of the tree is still open.
func (r *Reader) truncation() string {
	depth, line, where := r.depth, r.line, "at the end of the input"
	switch {
	case r.full:
		return format.TooMuch("the tree that starts here", r.limit)
	case r.resume.line > 0:
		depth, line = r.resume.depth, r.resume.line
		fallthrough
	case r.pos < r.end:
		where = fmt.Sprintf("where line %d starts the next tree", line)
	}
	return fmt.Sprintf(`the tree that starts here is truncated: %s open %s, expected ")"`, index.Plural(depth, "bracket"), where)
}

// resync moves to the next line that can start a tree.
func (r *Reader) resync() {
	indent := max(r.tree.indent, r.seen.indent)
	r.resumed = true
	r.lastLine = 0
	r.betweenTrees = true
	defer func() { r.betweenTrees = false }()
	for {
		r.skipLine()
		c := r.skipBlanks()
		if r.blockEnd() != "" || r.atEnd(c) || c == '(' && r.pos-r.lineStart <= indent {
			return
		}
	}
}
