package conll

import (
	"bytes"

	"fstore/decode/format"
)

// A bad sentence ends with a blank line. It also ends before a line that can only belong to the next
// sentence, because a sentence that was cut off has no blank line after it.

// passOver begins to skip a bad sentence at this line. If the line starts the next sentence, passOver keeps
// it for later.
func (r *Reader) passOver(line []byte, err error) {
	r.words = len(r.t.Tokens) > 0
	if r.again = r.startsNext(line); r.again {
		r.againErr = err
		return
	}
	r.skipping = true
	r.words = r.words || isWord(line)
}

// next returns the next line, or again the line that ended a bad sentence.
func (r *Reader) next() ([]byte, error) {
	if r.again {
		r.again = false
		return r.lastLine, r.againErr
	}
	var err error
	r.lastLine, err = r.lines.Next()
	return r.lastLine, err
}

// skip skips the rest of a bad sentence. Its comments still apply: they can start a document.
func (r *Reader) skip() error {
	for r.skipping {
		line, err := r.next()
		if _, bad := err.(*format.LineError); err != nil && !bad {
			return err
		}
		switch {
		case err == nil && IsBlank(line):
			r.skipping = false
			r.skipComments()
		case r.startsNext(line):
			r.again, r.againErr = true, err
			r.skipping = false
		case err == nil && line[0] == '#':
			if !r.done {
				r.addComment(line)
			}
		default:
			r.words = r.words || isWord(line)
			r.skipComments()
		}
	}
	return nil
}

// skipComments applies the comments of a bad sentence, because they can start a document.
func (r *Reader) skipComments() {
	if !r.done {
		r.done = true
		_ = r.ownComments() // errors do not matter: the sentence is bad already
		r.takeIn(r.own)
		r.LeaveOut()
	}
}

// startsNext says whether a line starts the sentence after the bad one.
func (r *Reader) startsNext(line []byte) bool {
	if !r.words || len(line) == 0 {
		return false
	}
	if line[0] == '#' {
		return true
	}
	id, _, _ := bytes.Cut(line, []byte{'\t'})
	return string(id) == "1" || r.layout.Special && (bytes.HasPrefix(id, []byte("1-")) || bytes.HasPrefix(id, []byte("0.")))
}

// isWord says whether a line has the id of a word. The rest of the line is not checked.
func isWord(line []byte) bool {
	id, _, _ := bytes.Cut(line, []byte{'\t'})
	n, ok := number(id)
	return ok && n > 0
}
