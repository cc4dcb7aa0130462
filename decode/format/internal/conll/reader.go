package conll

import (
	"bytes"
	"cmp"
	"fmt"
	"io"

	"fstore/decode/format"
	"fstore/index"
)

// Reader reads sentences.
type Reader struct {
	layout   *Layout
	lines    *format.Lines
	o        format.Options
	b        index.Builder // for its Undo: nothing is built
	t        *index.Tree
	sentence int
	skipping bool // a bad sentence has not been passed over yet
	cells    Row

	again    bool // the line read last starts the sentence after a bad one
	againErr error
	lastLine []byte

	comments
	list
	first      int   // line of the first row
	words      bool  // a bad sentence has had words
	lineOf     []int // of each token
	columns    int   // of each row, 0 before the first
	predicates int
	rangeEnd   int // the last word of the last multiword range
	emptyEnd   int // k of the last empty node i.k after the last word
	size       int // bytes of this sentence
	mark       []int32
}

// Open returns a reader of the sentences of r.
func Open(l *Layout, r io.Reader, o format.Options) *Reader {
	return &Reader{
		layout: l,
		lines:  format.NewLines(r, o.Limit()),
		o:      o,
		b:      index.Builder{Symbols: o.Symbols},
		cells:  Row{symbols: o.Symbols},
	}
}

// problem is what is wrong with a line.
type problem struct {
	line int
	msg  string
}

// Next reads the next sentence into t, see index.Source. An error of a sentence
// is reported where it is found; the rest of the sentence is skipped by the next
// call, see skip.go.
func (r *Reader) Next(t *index.Tree) error {
	if err := r.skip(); err != nil {
		return err
	}
	r.start(t)
	for {
		line, err := r.next()
		if err == io.EOF && r.first > 0 || err == nil && IsBlank(line) {
			if r.first == 0 {
				msg := r.applyComments() // of a document, perhaps
				if r.tooMany {
					return r.refuse(r.problem(msg))
				}
				r.loose(r.LeaveOut())
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
			r.loose(len(r.ends))
			r.b.Undo()
			return end
		}
		if p != nil {
			r.passOver(line, err)
			return r.refuse(p)
		}
	}
}

// start begins a sentence.
func (r *Reader) start(t *index.Tree) {
	r.b.Start(t, false)
	t.Kind = index.Dependency
	r.t = t
	r.first, r.words, r.columns, r.predicates = 0, false, 0, 0
	r.rangeEnd, r.emptyEnd, r.size = 0, 0, 0
	r.lineOf = r.lineOf[:0]
	r.startComments()
}

// line takes in a line that is not blank, or the error that came in its place.
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

// problem is one with the line read last.
func (r *Reader) problem(msg string) *problem { return &problem{r.lines.Number, msg} }

func (r *Reader) problemf(format string, args ...any) *problem {
	return r.problem(fmt.Sprintf(format, args...))
}

// refuse returns the error, and forgets the sentence.
func (r *Reader) refuse(p *problem) error {
	r.sentence++
	r.LeaveOut()
	r.b.Undo()
	return &index.InputError{File: r.o.File, Line: p.line, Sentence: r.sentence, Msg: p.msg}
}

// finish ends a sentence whose lines are all right by themselves.
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
	if p := r.checkHeads(); p != nil { // of words that all have heads, or none
		return p
	}
	if p := r.checkCandidate(); p != nil {
		return p
	}
	r.sentence++
	return nil
}

// problemAt is one with token i.
func (r *Reader) problemAt(i int, format string, args ...any) *problem {
	return &problem{r.lineOf[i], fmt.Sprintf(format, args...)}
}

// IsBlank says whether a line is what ends a sentence.
func IsBlank(line []byte) bool { return len(bytes.TrimLeft(line, " \t")) == 0 }

// FirstRow returns the first line of a text that is not blank, and whether that is
// no comment.
func FirstRow(head []byte) (row []byte, ok bool) {
	for line := range bytes.Lines(head) {
		if line = bytes.TrimRight(line, "\r\n"); !IsBlank(line) {
			return line, line[0] != '#'
		}
	}
	return nil, false
}
