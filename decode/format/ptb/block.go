package ptb

import "strings"

// The output of CorpusSearch has blocks of text between trees. They are skipped:
//
//	/~*                     the words of the next sentence
//	the cat sat
//	*~/
//	/*                      what was found in the sentence, and the query
//	1 IP-MAT: 1 IP-MAT
//	*/

// startsWith says whether the text at pos starts with s. It can move the text, so earlier offsets are then
// wrong.
func (b *buffer) startsWith(s string) bool {
	for b.end-b.pos < len(s) && strings.HasPrefix(s, string(b.text[b.pos:b.end])) && b.fill() {
		continue
	}
	return strings.HasPrefix(string(b.text[b.pos:min(b.end, b.pos+len(s))]), s)
}

// blockEnd returns the end mark of the block at pos, or "". It can move the text, as startsWith does.
func (b *buffer) blockEnd() string {
	switch {
	case b.text[b.pos] != '/':
		return ""
	case b.startsWith("/*"):
		return "*/"
	case b.startsWith("/~*"):
		return "*~/"
	}
	return ""
}

// skipBlock skips the block at pos. It returns false if the block has no end. It must not be called inside a
// tree.
func (b *buffer) skipBlock(end string) bool {
	b.pos += len(end) // the start mark is as long as the end mark
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
		case c == end[0] && b.startsWith(end):
			b.pos += len(end)
			return true
		}
		b.pos++
	}
}
