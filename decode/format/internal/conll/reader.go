package conll

import (
	"bytes"
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
	skipping bool // the rest of a bad sentence has to be skipped
	cells    Row

	again    bool // the function next returns lastLine again, the first line of the next sentence
	againErr error
	lastLine []byte

	comments
	openList
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

// comments are the comment lines before the words of a sentence: `# key = value`.
type comments struct {
	text []byte // the lines of this sentence, one after the other
	ends []int
	done bool // applyComments has run for this sentence
	own  []string

	format.Held
	docs     int
	document string
	merged   []string // comments of this sentence, and comments that it takes over from left-out sentences
	owed     []string // comments of left-out sentences for the next good one
	tooMany  bool     // more comments hold for the sentence than the limit allows
}

// openList is the K-best list being read.
type openList struct {
	group         string
	numbers       map[int]bool // the candidate numbers seen so far
	scored        bool         // the first candidate of the list has a score
	candidateLine int          // the line of this sentence's `# candidate`
	isScored      bool         // this sentence has a score
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

// problem returns a problem with the line read last.
func (r *Reader) problem(msg string) *problem { return &problem{r.lines.Number, msg} }

func (r *Reader) problemf(format string, args ...any) *problem {
	return r.problem(fmt.Sprintf(format, args...))
}

// problemAt returns a problem with the line of token i.
func (r *Reader) problemAt(i int, format string, args ...any) *problem {
	return &problem{r.lineOf[i], fmt.Sprintf(format, args...)}
}

// IsBlank says whether a line is blank: a blank line ends a sentence.
func IsBlank(line []byte) bool { return len(bytes.TrimLeft(line, " \t")) == 0 }

// FirstRow returns the first line that is not blank, and whether this line is a row and no comment.
func FirstRow(head []byte) (row []byte, ok bool) {
	for line := range bytes.Lines(head) {
		if line = bytes.TrimRight(line, "\r\n"); !IsBlank(line) {
			return line, line[0] != '#'
		}
	}
	return nil, false
}
