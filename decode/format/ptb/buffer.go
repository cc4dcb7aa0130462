package ptb

import (
	"bytes"
	"io"

	"fstore/decode/format"
)

// The classes of bytes.
const (
	inWord = iota
	space
	newline
	opening
	closing
	backslash
	nul // an error inside the text, and the sentinel after it
)

var class = [256]uint8{
	' ': space, '\t': space, '\r': space, '\v': space, '\f': space,
	'\n': newline, '(': opening, ')': closing, '\\': backslash, 0: nul,
}

const (
	chunk      = 256 << 10
	firstChunk = 16 << 10 // enough for a small file
)

// buffer has the text from the start of the current tree on. A NUL after the text ends every loop over bytes.
// Words are slices of the text.
type buffer struct {
	src   io.Reader
	limit int // maximum size of text[keep:end] in bytes
	err   error
	full  bool // the limit has been reached
	// betweenTrees is true while no tree is being read. Then fill keeps no old text.
	betweenTrees bool

	base int64  // offset of text[0] in the stream
	text []byte // text[keep:end], and text[end] == 0
	keep int    // the next fill forgets the text before keep
	pos  int    // the position of the next byte
	end  int

	line      int // the line of pos, from 1
	lineStart int // the position where that line starts; can be negative
	newlines  int // number of newlines that the last skipSpace skipped
	passed    int // newlines already skipped, which the next skipSpace has to count
	word      int // the position where the word being read starts

	valid   int // text[keep:valid] is valid UTF-8, except at bad
	bad     int // position of the first byte that is not valid UTF-8, or -1
	scratch []byte
}

func newBuffer(r io.Reader, limit int) buffer {
	return buffer{src: r, limit: limit, text: make([]byte, firstChunk+1), line: 1, bad: -1}
}

// fill reads at least one more byte, or returns false. Offsets into text change.
func (b *buffer) fill() bool {
	if b.betweenTrees && !b.full {
		b.forget()
	}
	if b.end-b.keep >= b.limit {
		b.full = true
	}
	if b.full || b.err != nil {
		return false
	}
	b.slide()
	to := min(len(b.text)-1, b.keep+b.limit)
	n, err := format.ReadSome(b.src, b.text[b.end:to])
	b.end += n
	b.text[b.end] = 0
	b.err = err
	b.validate()
	return n > 0
}

// slide moves the kept text to the start of the buffer, and makes at least half of the buffer free.
func (b *buffer) slide() {
	k := b.keep
	if b.bad < 0 {
		k = min(k, b.valid)
	}
	if k > 0 {
		copy(b.text, b.text[k:b.end])
		b.base += int64(k)
		b.keep -= k
		b.pos -= k
		b.end -= k
		b.lineStart -= k
		b.word -= k
		b.valid -= k
		if b.bad >= 0 {
			b.bad -= k
		}
	}
	size := len(b.text) - 1
	switch {
	case size-b.end < size/2:
		size = max(chunk, 2*size)
	case size > 64*chunk && b.end < chunk/2:
		size = chunk // shrink the buffer after a giant tree
	default:
		return
	}
	text := make([]byte, size+1)
	copy(text, b.text[:b.end])
	b.text = text
}

// validate looks for the first invalid UTF-8 in the new text.
func (b *buffer) validate() {
	if b.bad >= 0 {
		return
	}
	to := b.end
	if b.err == nil {
		to -= format.PartialRune(b.text[b.valid:b.end])
	}
	if i := format.FirstInvalid(b.text[b.valid:to]); i >= 0 {
		b.bad = b.valid + i
		return
	}
	b.valid = to
}

// forget drops the text before pos.
func (b *buffer) forget() {
	b.keep = b.pos
	if b.bad >= 0 && b.bad < b.pos {
		b.bad = -1
		b.valid = b.pos
		b.validate()
	}
}

// atEnd says whether c, the byte at pos, is the NUL after the last byte that has been read.
func (b *buffer) atEnd(c byte) bool { return c == 0 && b.pos == b.end }

// streamPosition is a position in the stream. It stays valid when more text is read.
type streamPosition struct {
	pos, lineStart int64 // offsets in the stream
	line           int
}

// offset returns the offset of pos in the stream.
func (b *buffer) offset() int64 { return b.base + int64(b.pos) }

func (b *buffer) here() streamPosition {
	return streamPosition{b.offset(), b.base + int64(b.lineStart), b.line}
}

func (b *buffer) goTo(p streamPosition) {
	b.pos, b.lineStart, b.line = int(p.pos-b.base), int(p.lineStart-b.base), p.line
	b.full = false
}

// skipSpace skips white space and returns the next byte. At the end of the text, it returns 0 with pos ==
// end.
func (b *buffer) skipSpace() byte {
	p := b.pos
	b.newlines, b.passed = b.passed, 0
	for {
		c := b.text[p]
		switch class[c] {
		case space:
			p++
		case newline:
			p++
			b.line++
			b.newlines++
			b.lineStart = p
		case nul:
			b.pos = p
			if p < b.end || !b.fill() {
				return 0
			}
			p = b.pos
		default:
			b.pos = p
			return c
		}
	}
}

// skipBlanks skips white space within a line, and returns the next byte.
func (b *buffer) skipBlanks() byte {
	for {
		switch c := b.text[b.pos]; class[c] {
		case space:
			b.pos++
		case nul:
			if b.pos < b.end || !b.fill() {
				return 0
			}
		default:
			return c
		}
	}
}

// skipLine moves to the start of the next line, or to the end of the text. It must not be called inside a
// tree.
func (b *buffer) skipLine() {
	for {
		if i := bytes.IndexByte(b.text[b.pos:b.end], '\n'); i >= 0 {
			b.pos += i + 1
			b.line++
			b.lineStart = b.pos
			return
		}
		b.pos = b.end
		if !b.fill() {
			return
		}
	}
}

// atom returns the word or label at pos. The slice is valid until the next call of any method.
func (b *buffer) atom() []byte {
	b.word = b.pos
	escaped := false
	p := b.pos
	for {
		for class[b.text[p]] == inWord {
			p++
		}
		switch class[b.text[p]] {
		case backslash:
			if p+1 == b.end {
				b.pos = p
				b.fill()
				p = b.pos
			}
			p++
			if c := class[b.text[p]]; c == opening || c == closing {
				escaped = true
				p++
			}
			continue
		case nul:
			if b.pos = p; p == b.end {
				more := b.fill()
				if p = b.pos; more {
					continue
				}
			}
		}
		b.pos = p
		w := b.text[b.word:p]
		if escaped {
			b.scratch = appendUnescaped(b.scratch[:0], w)
			return b.scratch
		}
		return w
	}
}

// appendUnescaped appends a word with \( and \) replaced by brackets.
func appendUnescaped(dst, w []byte) []byte {
	for i, c := range w {
		if c == '\\' && i+1 < len(w) && (w[i+1] == '(' || w[i+1] == ')') {
			continue
		}
		dst = append(dst, c)
	}
	return dst
}
