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
// A tree that is never closed swallows what follows it, up to the end of the
// input. Its end is then taken to be the first later line that can start a tree,
// and reading goes on there: one that starts with a bracket no further to the right
// than the tree itself, mostly in column 0 (it is flush); or, in an input whose trees
// have such lines inside, one after a blank line too, if that tells them apart. As a
// legal tree may have any line, nothing is decided before the end of the input is
// seen; but after one such failure a line that no good tree had inside always ends
// the tree before it; and a flush wrapper always does, except directly inside another,
// where it is only the likeliest end. So the text is read at most a few times over.
type recovery struct {
	// What is wrong with the current tree, first in the text; "" for nothing.
	msg     string
	msgLine int
	msgAt   int64 // stream offset

	startLine  int
	started    start
	innerFlush bool // it has a flush line inside
	innerBlank bool // … after a blank line
	innerBare  bool // … that starts a wrapper in one that holds nothing else
	lastLine   int  // where the tree before ended

	resume ending // where the tree has ended if it is truncated
	bare   ending // … if the trees of an input, of which this is the first, have no wrappers

	seen    style // of the good trees
	resumed bool  // reading goes on after an error
	strict  bool  // a line that can start a tree does
	forced  bool  // … whatever good trees have shown
	reread  int64 // bytes read more than once
}

// ending is where a tree may have ended: before a flush line inside it.
type ending struct {
	place
	depth int  // brackets open there
	known bool // there is such a place
	sure  bool // good trees have no such line
}

// start is where a tree starts.
type start struct {
	inLine   bool // after another tree on its line
	indent   int  // the column, from 0, of the first tree on its line
	blankLed bool // after a blank line
}

// style is what an input's good trees have shown.
type style struct {
	trees      int
	flush      bool // flush lines inside a tree
	flushBlank bool // … after a blank line
	flushBare  bool // … that starts a wrapper in one that holds nothing else
	unled      bool // trees without a blank line before them, the first one excepted
	indent     int  // the rightmost column in which a line starts with a tree
	inLine     bool // several trees on a line
	lines      bool // a tree on several lines
}

// blankTells says whether a blank line tells apart the flush lines that start a tree,
// and is needed for it.
func (s *style) blankTells() bool { return s.flush && !s.flushBlank && !s.unled && s.trees > 1 }

// startHere describes the bracket at pos, between trees.
func (r *Reader) startHere() start {
	s := start{
		inLine:   r.line == r.lastLine,
		indent:   r.started.indent,
		blankLed: r.newlines > 1 || r.resumed,
	}
	if !s.inLine {
		s.indent = r.pos - r.lineStart
	}
	r.resumed = false
	return s
}

// beginTree starts with a clean slate at the tree's bracket.
func (r *Reader) beginTree(s start) {
	r.msg = ""
	r.resume, r.bare = ending{}, ending{}
	r.innerFlush, r.innerBlank, r.innerBare = false, false, false
	r.startLine = r.line
	r.started = s
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
	s := &r.seen
	s.flush = s.flush || r.innerFlush
	s.flushBlank = s.flushBlank || r.innerBlank
	s.flushBare = s.flushBare || r.innerBare
	s.unled = s.unled || s.trees > 0 && !r.started.blankLed
	s.indent = max(s.indent, r.started.indent)
	s.inLine = s.inLine || r.started.inLine
	s.lines = s.lines || r.line > r.startLine
	s.trees++
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
	return r.inputError(r.msgLine, r.msg)
}

func (r *Reader) inputError(line int, msg string) error {
	return &index.InputError{File: r.file, Line: line, Sentence: r.sentence, Msg: msg}
}

// isFlush says whether the bracket at pos, after white space, starts a line no
// further to the right than the tree.
func (r *Reader) isFlush() bool { return r.newlines > 0 && r.pos-r.lineStart <= r.started.indent }

// flush sees a flush line inside a tree, and says whether the tree is known to end
// before it.
func (r *Reader) flush() bool {
	blank := r.newlines > 1
	outer := r.depth == r.wrapped
	bare := outer && !r.hasContent()
	wrapper := r.isWrapper()
	if wrapper && !bare {
		if r.seen.flush && !r.resume.sure {
			r.resume.known = false // not where a legal inner bracket may be
		}
		return true
	}
	r.innerFlush = true
	r.innerBlank = r.innerBlank || blank
	r.innerBare = r.innerBare || wrapper
	here := ending{place: r.here(), depth: r.depth, known: true, sure: wrapper && !r.seen.flushBare}
	if bare && r.seen.trees == 0 { // the input may have its wrappers on lines of their own
		if here.sure {
			r.resumeAt(here)
		} else {
			r.bare = here
		}
		return false
	}
	if outer && r.bare.known && !r.resume.sure { // … or has none, as this is another tree
		r.resume, r.bare.known = r.bare, false
	}
	tells := r.seen.blankTells()
	if tells && !blank && !here.sure {
		return false
	}
	r.resumeAt(here)
	return r.forced || r.strict && (tells || here.sure || !r.seen.flush)
}

// resumeAt notes where the tree may have ended: the first such place counts.
func (r *Reader) resumeAt(e ending) {
	if !r.resume.known {
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
	end := r.base + int64(r.pos)
	if r.resume.known {
		end = r.resume.pos
	}
	if r.msgAt >= end {
		r.msg = "" // it belongs to a later tree
	}
	r.faultAt(r.startLine, r.keep, r.truncation())
	err := r.refuse()
	r.lastLine = 0 // the next tree starts a line
	switch {
	case r.resume.known:
		r.goBack()
	case r.full:
		r.full = false
		r.resync(r.started.indent)
	}
	return err
}

// truncation says where the tree is found to be open.
func (r *Reader) truncation() string {
	if r.full {
		return format.TooMuch("the tree that starts here", r.limit)
	}
	depth, where := r.depth, "at the end of the input"
	const next = "where line %d starts the next tree"
	if r.resume.known {
		depth, where = r.resume.depth, fmt.Sprintf(next, r.resume.line)
	} else if r.pos < r.end {
		where = fmt.Sprintf(next, r.line)
	}
	return fmt.Sprintf(`the tree that starts here is truncated: %s open %s, expected ")"`, index.Plural(depth, "bracket"), where)
}

// goBack goes on at the line where the truncated tree must have ended.
func (r *Reader) goBack() {
	const free = 64 << 20
	at := r.base + int64(r.pos)
	r.reread += at - r.resume.pos
	r.strict = true
	r.forced = r.forced || r.reread > free+4*at
	r.goTo(r.resume.place)
	r.resumed = true
}

// resync goes on to the next line that can start a tree: one with a bracket no
// further to the right than indent, or than where trees have started lines.
func (r *Reader) resync(indent int) {
	indent = max(indent, r.seen.indent)
	r.resumed = true
	r.lastLine = 0
	r.between = true
	defer func() { r.between = false }()
	for {
		r.skipLine()
		c := r.skipBlanks()
		if r.blockEnd() != "" {
			return
		}
		if r.atEnd(c) || c == '(' && r.pos-r.lineStart <= indent {
			return
		}
	}
}
