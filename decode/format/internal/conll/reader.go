package conll

import (
	"bytes"
	"cmp"
	"fmt"
	"io"

	"fstore/decode/format"
	"fstore/index"
)

// Reader reads sentences of a CoNLL format.
type Reader struct {
	layout   *Layout
	lines    *format.Lines
	o        format.Options
	b        index.Builder // builds nothing; its Undo forgets a bad sentence
	t        *index.Tree
	sentence int
	skipping bool // the rest of a bad sentence is not skipped yet
	cells    Row

	again    bool // the function next returns lastLine again, the first line of the next sentence
	againErr error
	lastLine []byte

	comments
	list
	first      int   // line number of the first row
	words      bool  // the bad sentence has had words
	lineOf     []int // line number of each token
	columns    int   // number of columns in each row, 0 before the first row
	predicates int
	rangeEnd   int // id of the last word in the last multiword range
	emptyEnd   int // the k of the last empty node i.k since the last word, or 0
	size       int // size of this sentence so far, in bytes
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

// problem is a message about a line.
type problem struct {
	line int
	msg  string
}

// Next reads the next sentence into t, see index.Source. It returns an error as soon as it finds one. The
// next call of Next then skips the rest of the sentence, see skip.go.
func (r *Reader) Next(t *index.Tree) error {
	if err := r.skip(); err != nil {
		return err
	}
	r.start(t)
	for {
		line, err := r.next()
		if err == io.EOF && r.first > 0 || err == nil && IsBlank(line) {
			if r.first == 0 {
				msg := r.applyComments() // they may belong to a document
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

// start prepares for a new sentence, which is read into t.
func (r *Reader) start(t *index.Tree) {
	r.b.Start(t, false)
	t.Kind = index.Dependency
	r.t = t
	r.first, r.words, r.columns, r.predicates = 0, false, 0, 0
	r.rangeEnd, r.emptyEnd, r.size = 0, 0, 0
	r.lineOf = r.lineOf[:0]
	r.startComments()
}

// line handles a line that is not blank, or the error that came instead of a line. It returns a problem with
// the line, or an error that ends the stream.
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

// problem returns a problem with the line read last.
func (r *Reader) problem(msg string) *problem { return &problem{r.lines.Number, msg} }

func (r *Reader) problemf(format string, args ...any) *problem {
	return r.problem(fmt.Sprintf(format, args...))
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

// problemAt returns a problem with the line of token i.
func (r *Reader) problemAt(i int, format string, args ...any) *problem {
	return &problem{r.lineOf[i], fmt.Sprintf(format, args...)}
}

// IsBlank says whether a line is blank: a blank line ends a sentence.
func IsBlank(line []byte) bool { return len(bytes.TrimLeft(line, " \t")) == 0 }

// FirstRow returns the first line of a text that is not blank. The result ok says that this line is not a
// comment.
func FirstRow(head []byte) (row []byte, ok bool) {
	for line := range bytes.Lines(head) {
		if line = bytes.TrimRight(line, "\r\n"); !IsBlank(line) {
			return line, line[0] != '#'
		}
	}
	return nil, false
}
