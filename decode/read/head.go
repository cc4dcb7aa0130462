package read

import (
	"bytes"
	"io"
	"slices"

	"fstore/decode/format"
	"fstore/decode/format/conllu"
	"fstore/decode/format/nbest"
)

// maxHead bounds what is kept to find the format: all is kept, but for blank lines at
// the start of the input, which are counted.
const maxHead = 8 << 20

// head is the start of an input, up to where the format can be told.
type head struct {
	blank int    // blank lines at the start
	text  []byte // what follows them, without a byte order mark
	ended bool   // that is all of the input

	// The first pos bytes of text are comments and blank lines; what follows is a line that may
	// still be one, or is the first of another kind, less the white space before it.
	pos       int
	line      int  // of pos, from 1
	found     bool // the line is of another kind
	commented bool // there was a comment
	kept      bool // no more lines are counted in blank
}

// headOf is readHead of a file that may be compressed.
func headOf(r io.Reader) (*head, error) {
	text, done, err := decompress(r)
	if err != nil {
		return nil, err
	}
	defer done()
	return readHead(text)
}

// readHead reads until the format can be told: the first tree in brackets, or
// the first line that is neither blank nor a comment, or two more where that can be
// the head of an n-best list; or, for how long that does not come, maxHead bytes; or
// the whole input.
func readHead(r io.Reader) (*head, error) {
	h := &head{line: 1}
	first := make([]byte, 3) // of a byte order mark, and no sample is shorter
	n, err := io.ReadFull(r, first)
	h.text = format.TrimBOM(first[:n])
	for h.scan(); err == nil && !h.tells() && len(h.text) < maxHead; h.scan() {
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
	start := 0 // of the first line that is not counted in blank
	for !h.found {
		line, _, whole := bytes.Cut(h.text[h.pos:], []byte{'\n'})
		text := bytes.TrimLeft(line, " \t\r\v\f")
		isComment := len(text) > 0 && text[0] == '#'
		h.commented = h.commented || isComment
		h.kept = h.kept || isComment || bytes.ContainsAny(line, "\v\f") // not blank to every reader
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

// tells says whether the format can be told.
func (h *head) tells() bool {
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

// maxFirstTree is how much of the first tree is looked at: its words tell whether it is a tree
// in brackets. No reader has a sample before the tree ends.
const maxFirstTree = 64 << 10

// isClosed says whether the first tree of a text in brackets ends in it.
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

// isEmpty says that the input has nothing but blank lines and comments.
func (h *head) isEmpty() bool { return h.ended && !h.found }

// format returns the format of the input, nil where it is not known: file is its name,
// or "". Comments without end are CoNLL-U's, if the name does not say otherwise.
func (h *head) format(file string) *Format {
	f := sniff(file, h.text)
	if f == nil && !h.found && h.commented {
		f = &conllu.Format
	}
	return f
}

// reader returns the input, of which r is what follows the head.
func (h *head) reader(r io.Reader) io.Reader {
	return io.MultiReader(io.LimitReader(newlines{}, int64(h.blank)), bytes.NewReader(h.text), r)
}

// newlines is blank lines without end.
type newlines struct{}

func (newlines) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '\n'
	}
	return len(p), nil
}
