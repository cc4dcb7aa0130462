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
// A tree whose brackets close is left out as it stands, or with the text around
// it that shows that they close in the wrong place: see rest.go.
//
// A tree that is never closed swallows what follows it, up to the end of the input. It is
// taken to end before the first later line that can start a tree, and reading goes on there.
// Such a line is flush: it starts with a bracket no further to the right than the tree
// itself, mostly in column 0. In an input whose trees have flush lines inside, it also stands
// after a blank line, if that tells them apart.
//
// As a legal tree may have any line, nothing is decided before the end of the input, with two
// exceptions, so that the text is read at most a few times over. After one such failure, a
// line that no good tree had inside ends the tree before it. And a flush wrapper always does,
// except directly inside another, where it is only the likeliest end.
type recovery struct {
	startLine int
	lastLine  int    // where the tree before ended
	resume    ending // where the tree has ended if it is truncated
	bare      ending // … if the trees of an input, of which this is the first, have no wrappers

	tree    style // of this tree
	seen    style // of the good trees
	good    int   // trees
	resumed bool  // reading goes on after an error
	strict  bool  // a line that can start a tree does
	forced  bool  // … whatever good trees have shown
	reread  int64 // bytes read more than once
	checked int64 // stream offset: what follows a tree is in order up to here, see rest.go
}

// ending is where a tree may have ended: before a flush line inside it.
type ending struct {
	place      // line 0: there is none
	depth int  // brackets open there
	sure  bool // good trees have no such line
}

// style is what trees look like.
type style struct {
	indent     int  // the rightmost column, from 0, in which a line starts with a tree
	inLine     bool // after another tree on its line
	lines      bool // on several lines
	unled      bool // without a blank line before it, and not the first
	flush      bool // flush lines inside
	flushBlank bool // … after a blank line
	flushBare  bool // … that starts a wrapper in one that holds nothing else
}

// add adds what another tree looks like.
func (s *style) add(t style) {
	s.indent = max(s.indent, t.indent)
	s.inLine = s.inLine || t.inLine
	s.lines = s.lines || t.lines
	s.unled = s.unled || t.unled
	s.flush = s.flush || t.flush
	s.flushBlank = s.flushBlank || t.flushBlank
	s.flushBare = s.flushBare || t.flushBare
}

// start starts the tree at pos, or what stands there instead of one.
func (r *Reader) start(t *index.Tree) {
	r.tree.inLine = r.line == r.lastLine
	if !r.tree.inLine {
		r.tree.indent = r.pos - r.lineStart
	}
	r.tree.unled = r.good > 0 && r.newlines <= 1 && !r.resumed
	r.resumed = false
	r.begin(t, false)
}

// begin starts with a clean slate at the tree's bracket.
func (r *Reader) begin(t *index.Tree, noteIsTree bool) {
	r.shape.begin(t, r.line, noteIsTree)
	r.msg = ""
	r.resume, r.bare = ending{}, ending{}
	r.tree.flush, r.tree.flushBlank, r.tree.flushBare = false, false, false
	r.startLine = r.line
}

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
	r.good++
	r.tree.lines = r.line > r.startLine
	r.seen.add(r.tree)
}

// maxSpare is how many nodes' memory a refused tree may leave behind.
const maxSpare = 1 << 20

// refuse returns the error of this tree, and forgets the tree.
func (r *Reader) refuse() error {
	r.sentence++
	r.b.Undo()
	if cap(r.t.Nodes) > maxSpare {
		r.t.Nodes = nil
	}
	return &index.InputError{File: r.file, Line: r.msgLine, Sentence: r.sentence, Msg: r.msg}
}

// endsBefore says whether the tree is known to end before c, which starts a line: a line no
// further to the right than the tree, of a block or of another tree.
func (r *Reader) endsBefore(c byte) bool {
	if r.depth == 0 || r.pos-r.lineStart > r.tree.indent {
		return false
	}
	blank := r.newlines > 1
	here := ending{place: r.here(), depth: r.depth}
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
			r.resume = ending{} // not where a legal inner bracket may be
		}
		return true
	}
	r.tree.flush = true
	r.tree.flushBlank = r.tree.flushBlank || blank
	r.tree.flushBare = r.tree.flushBare || wrapper
	here.sure = wrapper && !r.seen.flushBare
	if bare && r.good == 0 { // the input may have its wrappers on lines of their own
		if here.sure {
			r.resumeAt(here)
		} else {
			r.bare = here
		}
		return false
	}
	if outer && r.bare.line > 0 && !r.resume.sure { // … or has none, as this is another tree
		r.resume, r.bare = r.bare, ending{}
	}
	// tells: blank lines tell apart the flush lines that start a tree, and are needed for it.
	tells := r.seen.flush && !r.seen.flushBlank && !r.seen.unled && r.good > 1
	if tells && !blank && !here.sure {
		return false
	}
	r.resumeAt(here)
	return r.forced || r.strict && (tells || here.sure || !r.seen.flush)
}

// resumeAt notes where the tree may have ended: the first such place counts.
func (r *Reader) resumeAt(e ending) {
	if r.resume.line == 0 {
		r.resume = e
	}
}

// isWrapper says whether the bracket at pos has no label, which only the first of a
// tree have.
func (r *Reader) isWrapper() bool {
	at := r.here()
	r.pos++
	c := r.skipSpace()
	r.goTo(at)
	return c == '('
}

// truncated refuses a tree that is open at pos: the end of the input or of what
// may be kept, or the start of another.
func (r *Reader) truncated() error {
	if r.pos == r.end && !r.full && r.err != io.EOF {
		r.b.Undo()
		return r.err
	}
	if !r.full { // a rune may be cut in two there
		r.checkText()
	}
	at := r.offset()
	end := at
	if r.resume.line > 0 {
		end = r.resume.pos
	}
	if r.msgAt >= end {
		r.msg = "" // it belongs to a later tree
	}
	r.faultAt(r.startLine, r.keep, r.truncation())
	r.lastLine = 0 // the next tree starts a line
	switch {
	case r.resume.line > 0: // read again from there
		const free = 64 << 20
		r.reread += at - r.resume.pos
		r.strict = true
		r.forced = r.forced || r.reread > free+4*at
		r.goTo(r.resume.place)
		r.resumed = true
	case r.full:
		r.full = false
		r.resync()
	}
	return r.refuse()
}

// truncation says where the tree is found to be open.
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

// resync goes on to the next line that can start a tree: one with a bracket no
// further to the right than this tree, or than where trees have started lines.
func (r *Reader) resync() {
	indent := max(r.tree.indent, r.seen.indent)
	r.resumed = true
	r.lastLine = 0
	r.between = true
	defer func() { r.between = false }()
	for {
		r.skipLine()
		c := r.skipBlanks()
		if r.blockEnd() != "" || r.atEnd(c) || c == '(' && r.pos-r.lineStart <= indent {
			return
		}
	}
}
