package ptb

import (
	"strings"
)

// The output of CorpusSearch has blocks of text between trees, which are passed over:
//
//	/~*                     the words of the sentence that follows
//	the cat sat
//	*~/
//	/*                      what was found in it, and what the query was
//	1 IP-MAT: 1 IP-MAT
//	*/

// has says whether the text at pos starts with s. Offsets may change.
func (b *buffer) has(s string) bool {
	for b.end-b.pos < len(s) && strings.HasPrefix(s, string(b.text[b.pos:b.end])) && b.fill() {
		continue
	}
	return strings.HasPrefix(string(b.text[b.pos:min(b.end, b.pos+len(s))]), s)
}

// blockEnd returns what ends the block that starts at pos, "" where none does. Offsets may
// change.
func (b *buffer) blockEnd() string {
	switch {
	case b.text[b.pos] != '/':
		return ""
	case b.has("/*"):
		return "*/"
	case b.has("/~*"):
		return "*~/"
	}
	return ""
}

// skipBlock passes over the block at pos, up to its end, and says whether it has one. It is
// for text between trees.
func (b *buffer) skipBlock(end string) bool {
	b.pos += len(end) // as long as its start
	for {
		switch c := b.text[b.pos]; {
		case c == 0 && b.pos == b.end:
			if !b.fill() {
				return false
			}
			continue
		case c == '\n':
			b.line++
			b.lineStart = b.pos + 1
		case c == end[0] && b.has(end):
			b.pos += len(end)
			return true
		}
		b.pos++
	}
}

// skipBlocks passes over white space and blocks between trees, and returns the byte that
// ends them, as skipSpace does. unclosed is the line of a block without an end, 0 for none.
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
		newlines += 2 // a block is as good as a blank line
		r.forget()
	}
}
