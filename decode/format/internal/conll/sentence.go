package conll

import (
	"cmp"
	"io"

	"fstore/decode/format"
	"fstore/index"
)

// Next reads the next sentence into t, see index.Source. After an error, the next call skips the rest of the
// sentence.
func (r *Reader) Next(t *index.Tree) error {
	if err := r.skip(); err != nil {
		return err
	}
	r.start(t)
	for {
		line, err := r.next()
		if err == io.EOF && r.first > 0 || err == nil && IsBlank(line) {
			if r.first == 0 {
				msg := r.applyComments() // the comments may belong to a document
				if r.tooMany {
					return r.refuse(r.problem(msg))
				}
				r.reportLoose(r.LeaveOut())
				r.start(t)
				r.lines.SkipBlank()
				continue
			}
			if p := r.finish(); p != nil {
				return r.refuse(p)
			}
			return nil
		}
		p, end := r.line(line, err)
		if end != nil {
			r.reportLoose(len(r.ends))
			r.b.Undo()
			return end
		}
		if p != nil {
			r.passOver(line, err)
			return r.refuse(p)
		}
	}
}

// start prepares for a new sentence, which is read into t.
func (r *Reader) start(t *index.Tree) {
	r.b.Start(t, false)
	t.Kind = index.Dependency
	r.t = t
	r.first, r.words, r.columns, r.predicates = 0, false, 0, 0
	r.rangeEnd, r.emptyEnd, r.size = 0, 0, 0
	r.lineOf = r.lineOf[:0]
	r.text, r.ends, r.done, r.tooMany, r.merged = r.text[:0], r.ends[:0], false, false, nil
}

// line handles a line that is not blank, or the error that came instead of a line. Its second result is an
// error that ends the stream.
func (r *Reader) line(line []byte, err error) (*problem, error) {
	switch err := err.(type) {
	case nil:
	case *format.LineError:
		return r.problem(err.Msg), nil
	default:
		return nil, err
	}
	if r.size += len(line); r.size > r.o.Limit() {
		return r.problem(format.TooMuch("the sentence", r.o.Limit())), nil
	}
	if r.t.Line == 0 {
		r.t.Line = r.lines.Number
	}
	if line[0] != '#' {
		if r.first == 0 {
			r.first = r.lines.Number
			if msg := r.applyComments(); msg != "" {
				return r.problem(msg), nil
			}
		}
		return r.row(line), nil
	}
	if r.first > 0 {
		return r.problem("a comment after words: expected a word, or a blank line before the next sentence"), nil
	}
	if !r.addComment(line) {
		return r.problem(tooManyComments("the sentence")), nil
	}
	return nil, nil
}

// refuse drops the sentence and returns its error.
func (r *Reader) refuse(p *problem) error {
	r.sentence++
	r.LeaveOut()
	r.b.Undo()
	return &index.InputError{File: r.o.File, Line: p.line, Sentence: r.sentence, Msg: p.msg}
}

// finish checks a sentence as a whole. Its lines have been checked one by one.
func (r *Reader) finish() *problem {
	if len(r.t.Tokens) == 0 {
		return &problem{r.first, "a sentence without words: expected a line with id 1"}
	}
	if n := len(r.t.Tokens); r.rangeEnd > n {
		return r.problemAt(n-1, "a multiword range ends at word %d, but the last word is %d: expected a range within the sentence", r.rangeEnd, n)
	}
	if p := cmp.Or(r.checkFurther(), r.checkUnparsed()); p != nil {
		return p
	}
	if p := r.checkHeads(); p != nil { // here all words have heads, or none has
		return p
	}
	if p := r.checkCandidate(); p != nil {
		return p
	}
	r.sentence++
	return nil
}
