package ptb

import (
	"io"

	"fstore/decode/format"
	"fstore/index"
)

// Reader reads trees. It holds the text of one tree, at most Options.Limit bytes,
// and allocates nothing per tree or token once its buffers have grown, but for
// the sample's name.
//
// Where the time goes (BenchmarkRead, IcePaHC, 11 bytes of text a node, about 5
// million nodes a second on one core): 52% interning, most of it waiting for
// memory, as the tables of words and productions do not fit the caches; 15% finding
// the ends of words and of white space; 6% each writing nodes, checking UTF-8 and
// hashing. So there is little to gain here without a denser symbol table.
type Reader struct {
	buffer
	shape
	recovery
	rest
	file     string
	sentence int // trees so far, refused ones included
	dryAfter int
}

// dryAfter is how many bytes of text may go by before a tree is first read dry: a
// tree that is never closed is mostly what follows it, and ten times as large in
// memory as in the text.
const dryAfter = 16 << 20

// Open returns a reader of the trees in r.
func Open(r io.Reader, o format.Options) *Reader {
	return &Reader{
		buffer: newBuffer(r, o.Limit()),
		shape:  newShape(o),
		file:   o.File,

		dryAfter: dryAfter,
	}
}

// Next reads the next tree into t, see index.Source.
func (r *Reader) Next(t *index.Tree) error {
	if err := r.seek(); err != nil {
		return err
	}
	at, start := r.here(), r.startHere()
	r.sure = false
	r.beginTree(start)
	r.begin(t, r.line)
	for {
		switch r.skipSpace() {
		case '(':
			if r.depth > 0 && r.isFlush() && r.flush() {
				return r.truncated()
			}
			if r.pos-r.keep > r.dryAfter && !r.sure {
				r.goDry()
			}
			r.pos++
			r.open()
		case ')':
			r.pos++
			r.close()
		case 0:
			if r.pos == r.end {
				return r.truncated()
			}
			r.fault("a NUL byte in the tree: expected text")
			r.pos++
		default:
			if r.isFlush() && r.depth > 0 && r.blockEnd() != "" {
				r.resumeAt(ending{place: r.here(), depth: r.depth, known: true, sure: true})
				return r.truncated()
			}
			w := r.atom()
			if r.text[r.pos] == '(' || r.word > 0 && r.text[r.word-1] == ')' {
				r.attach(r.text[:r.end], r.word, r.pos)
			}
			if !r.addWord(w) {
				r.fault("the word " + format.Quote(r.text[r.word:r.pos]) +
					` beside trees in an unlabelled bracket: expected "(" or ")"`)
			}
		}
		switch {
		case r.depth > 0:
		case r.dry:
			r.sure = true
			r.goTo(at)
			r.beginTree(start)
			r.begin(t, r.line)
		default:
			return r.finish()
		}
	}
}

// seek goes to the bracket that opens the next tree. Anything else there is an
// error of its own.
func (r *Reader) seek() error {
	r.between = true
	r.forget()
	c, unclosed := r.skipBlocks()
	r.between = false
	r.forget()
	switch {
	case unclosed > 0:
		r.sentence++
		return r.inputError(unclosed, "the block that starts here has no end: expected */ or *~/")
	case c == '(':
		return nil
	case r.atEnd(c):
		return r.err
	}
	return r.stray()
}

// open reads the label of a bracket that has just been passed.
func (r *Reader) open() {
	switch r.skipSpace() {
	case '(':
		if r.depth > r.wrapped {
			r.fault("a bracket without a label inside a tree: expected a label")
		}
		r.openBracket(nil)
		r.passed = r.newlines // the bracket at pos may be that of the next tree
	case ')':
		r.pos++
		r.fault(`"()" has neither label nor child: expected a label`)
		r.openBracket(nil)
		r.close()
	case 0:
		r.openBracket(nil) // the loop finds out why
	default:
		r.openBracket(r.atom())
	}
}

// finish ends a tree whose brackets are all closed.
func (r *Reader) finish() error {
	r.checkText()
	if r.fine() {
		if msg := r.complete(); msg != "" {
			r.faultAt(r.startLine, r.keep, msg)
		}
	}
	r.lastLine = r.line
	r.checkRest()
	if !r.fine() {
		return r.refuse()
	}
	r.accept()
	r.tell()
	return nil
}
