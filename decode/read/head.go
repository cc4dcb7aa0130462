package read

import (
	"bytes"
	"io"
	"slices"

	"fstore/decode/format"
	"fstore/decode/format/conllu"
	"fstore/decode/format/nbest"
)

// maxHead is the maximum size of the text that is kept to recognise the format.
const maxHead = 8 << 20

// head is the start of an input, as far as it is needed to recognise the format.
type head struct {
	blank int    // number of blank lines before text
	text  []byte // the text after the blank lines, without a byte order mark
	ended bool   // text reaches to the end of the input

	// text[:pos] consists of comments and blank lines. If found is true, other text starts at pos. Otherwise
	// a line that is not yet complete starts at pos.
	pos       int
	line      int  // line number of pos, from 1
	found     bool // a line with other text has been found
	commented bool // there has been a comment
	kept      bool // blank lines are now kept in text
}

// headOf returns the head of a file. The file can be compressed.
func headOf(r io.Reader) (*head, error) {
	text, done, err := decompress(r)
	if err != nil {
		return nil, err
	}
	defer done()
	return readHead(text)
}

// readHead reads until the format can be recognised, at most maxHead bytes. It needs the first tree in
// brackets, or the first line that is neither blank nor a comment.
func readHead(r io.Reader) (*head, error) {
	h := &head{line: 1}
	first := make([]byte, 3) // the length of a byte order mark; no sample is shorter
	n, err := io.ReadFull(r, first)
	h.text = format.TrimBOM(first[:n])
	for h.scan(); err == nil && !h.isEnough() && len(h.text) < maxHead; h.scan() {
		h.text = slices.Grow(h.text, max(4<<10, len(h.text)))
		n, err = r.Read(h.text[len(h.text):cap(h.text)])
		h.text = h.text[:len(h.text)+n]
	}
	h.ended = err == io.EOF || err == io.ErrUnexpectedEOF
	if err != nil && !h.ended {
		return nil, err
	}
	return h, nil
}

// scan looks for the first line that is neither blank nor a comment.
func (h *head) scan() {
	start := 0 // start of the first line that text must keep
	for !h.found {
		line, _, whole := bytes.Cut(h.text[h.pos:], []byte{'\n'})
		text := bytes.TrimLeft(line, " \t\r\v\f")
		isComment := len(text) > 0 && text[0] == '#'
		h.commented = h.commented || isComment
		h.kept = h.kept || isComment || bytes.ContainsAny(line, "\v\f") // to some readers, such a line is not blank
		if h.found = len(text) > 0 && !isComment; h.found {
			h.pos += len(line) - len(text)
			break
		}
		if !whole {
			break
		}
		h.line++
		h.pos += len(line) + 1
		if !h.kept {
			h.blank++
			start = h.pos
		}
	}
	h.text = h.text[:copy(h.text, h.text[start:])]
	h.pos -= start
}

// isEnough says whether enough text has been read to recognise the format.
func (h *head) isEnough() bool {
	if !h.found {
		return false
	}
	rest := h.text[h.pos:]
	if rest[0] == '(' {
		return len(rest) > maxFirstTree || isClosed(rest)
	}
	i := bytes.IndexByte(rest, '\n')
	return i >= 0 && (!nbest.MayBegin(rest[:i]) || bytes.Count(rest, []byte{'\n'}) >= 3)
}

// maxFirstTree is the maximum number of bytes of the first tree that are examined to recognise ptb.
const maxFirstTree = 64 << 10

// isClosed says whether the first tree in brackets ends within the text.
func isClosed(text []byte) bool {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			if depth--; depth <= 0 {
				return true
			}
		}
	}
	return false
}

// isEmpty says whether the whole input consists of blank lines and comments.
func (h *head) isEmpty() bool { return h.ended && !h.found }

// format returns the format of the input, or nil. Unknown text with only comments so far is taken for
// CoNLL-U.
func (h *head) format(file string) *Format {
	f := sniff(file, h.text)
	if f == nil && !h.found && h.commented {
		f = &conllu.Format
	}
	return f
}

// reader returns a reader of the whole input. `r` has the text after the head.
func (h *head) reader(r io.Reader) io.Reader {
	return io.MultiReader(io.LimitReader(newlines{}, int64(h.blank)), bytes.NewReader(h.text), r)
}

// newlines is an endless reader of blank lines.
type newlines struct{}

func (newlines) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '\n'
	}
	return len(p), nil
}
