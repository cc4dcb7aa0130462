package ptb

import (
	"io"

	"fstore/decode/format"
	"fstore/index"
)

// Reader reads trees. It keeps the text of one tree in memory, at most Options.Limit bytes. Once its buffers
// have grown, it allocates nothing for a tree or token, except the name of the sample.
//
// Interning takes half of the time, because the symbol tables do not fit the caches. Only a denser symbol
// table would make the Reader much faster. (BenchmarkRead on IcePaHC: about 5 million nodes a second on one
// core.)
type Reader struct {
	parser
	recovery
	file     string
	sentence int // number of trees so far, including refused ones
	dryAfter int
}

// dryAfter is how many bytes of a tree the Reader reads before it checks that the tree is closed. A tree that
// is never closed would take ten times the memory of its text.
const dryAfter = 16 << 20

// Open returns a reader of the trees in r.
func Open(r io.Reader, o format.Options) *Reader {
	return &Reader{
		parser:   parser{buffer: newBuffer(r, o.Limit()), shape: newShape(o)},
		file:     o.File,
		dryAfter: dryAfter,
	}
}

// Next reads the next tree into t, see index.Source.
func (r *Reader) Next(t *index.Tree) error {
	c, block := r.seek()
	if block == 0 && r.atEnd(c) {
		return r.err
	}
	r.start(t)
	switch {
	case block > 0:
		r.faultAt(block, r.pos, "the block that starts here has no end: expected */ or *~/")
		return r.refuse()
	case c != '(':
		r.fault(r.strayText() + ` outside brackets: expected "("`)
		r.resync()
		return r.refuse()
	}
	at, sure := r.here(), false // the variable sure: it is known that the tree is closed
	for {
		c := r.skipSpace()
		switch {
		case r.atEnd(c), r.newlines > 0 && r.endsBefore(c):
			return r.truncated()
		case c == '(' && r.pos-r.keep > r.dryAfter && !sure:
			r.goDry()
		}
		r.take(c)
		if r.depth > 0 {
			continue
		}
		noteIsTree := !r.dry && r.isGood() && r.needsNote()
		if !r.dry && !noteIsTree {
			return r.finish()
		}
		sure = true
		r.goTo(at)
		r.begin(t, noteIsTree)
	}
}

// seek moves to the bracket that opens the next tree. The results are those of skipBlocks.
func (r *Reader) seek() (c byte, block int) {
	r.betweenTrees = true
	defer func() { r.betweenTrees = false; r.forget() }()
	r.forget()
	if r.base == 0 && r.pos == 0 && r.startsWith("\ufeff") { // skip a byte order mark
		r.pos = len("\ufeff")
		r.lineStart = r.pos
	}
	return r.skipBlocks()
}

// skipBlocks skips white space and blocks between trees, and returns the next byte. The second result is the
// line of a block that has no end, or 0.
func (r *Reader) skipBlocks() (c byte, unclosed int) {
	newlines := 0
	for {
		c = r.skipSpace()
		newlines += r.newlines
		end := r.blockEnd()
		if end == "" {
			r.newlines = newlines
			return c, 0
		}
		line := r.line
		if !r.skipBlock(end) {
			return 0, line
		}
		if r.o.Losses != nil {
			r.o.Losses.Comments++
		}
		newlines += 2 // a block separates like a blank line
		r.forget()
	}
}

// finish completes a tree whose brackets are all closed.
func (r *Reader) finish() error {
	r.checkText()
	if r.isGood() {
		if msg := r.complete(); msg != "" {
			r.faultAt(r.startLine, r.keep, msg)
		}
	}
	r.lastLine = r.line
	r.checkRest()
	if !r.isGood() {
		return r.refuse()
	}
	r.accept()
	r.tell()
	return nil
}
