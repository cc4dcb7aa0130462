package nbest

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"fstore/decode/format"
	"fstore/decode/format/ptb"
	"fstore/index"
)

// Reader reads candidates. Each has two lines: scores and a tree.
//
// If it is clear which two lines belong to a bad candidate, only this candidate is refused. A list with too
// few candidates ends at a blank line or at the next list. Text after the last candidate is left out, up to a
// blank line or the next list.
type Reader struct {
	lines *format.Lines
	o     format.Options
	tree  *ptb.Line

	list  int    // number of lists so far
	id    string // id of the current list
	group string
	count int // number of candidates that the head announces
	given int // number of candidates read or refused so far

	line  []byte // the line read last
	err   error  // the error that came instead of a line
	again bool   // the function next returns the same line again
}

// Open returns a reader of the candidates in r.
func Open(r io.Reader, o format.Options) *Reader {
	return &Reader{lines: format.NewLines(r, o.Limit()), o: o, tree: ptb.NewLine(o)}
}

// InList returns the number of the list to which the last sample or error belongs. Lists count from 1.
func (r *Reader) InList() int { return r.list }

// Next reads the next candidate into t, see index.Source.
func (r *Reader) Next(t *index.Tree) error {
	if r.given == r.count {
		if err := r.head(); err != nil {
			return err
		}
	}
	scores, err := r.next()
	at := r.lines.Number
	switch {
	case isFatal(err):
		return err
	case r.endsEarly():
		return r.tooShort(at)
	}
	r.given++
	switch {
	case err != nil:
		return r.skipTree(at, err.Error())
	case scores[0] == '(':
		return r.refuseCandidate(at, "a tree without scores: expected a line of scores before it")
	}
	score, msg := r.score(scores)
	if msg != "" {
		return r.skipTree(at, msg)
	}
	tree, err := r.next()
	switch {
	case isFatal(err):
		return err
	case r.endsEarly():
		r.given--
		return r.tooShort(at)
	case err != nil:
		return r.refuseCandidate(r.lines.Number, err.Error())
	case isScores(tree):
		r.again = true
		return r.refuseCandidate(at, "scores without a tree: expected its line after them")
	}
	if err := r.tree.Read(t, tree); err != nil {
		return r.refuseCandidate(r.lines.Number, err.Error())
	}
	t.Line = at
	t.Name, t.Group, t.Candidate, t.Score = r.id, r.group, r.given, score
	r.tree.Tell()
	return nil
}

// head reads lines up to and including the head of a list, and checks that the list has candidates.
func (r *Reader) head() error {
	for {
		line, err := r.next()
		switch {
		case isFatal(err), err == io.EOF:
			return err
		case err != nil:
			return r.skipList(r.list+1, err.Error())
		case len(line) == 0:
			continue
		}
		count, id, ok := parseHead(line)
		if !ok {
			return r.skipList(r.noHead(line))
		}
		r.list++
		r.id, r.count, r.given = string(id), count, 0
		r.group = r.o.Base + "#" + strconv.Itoa(r.list)
		if count == 0 {
			return r.refuse(r.lines.Number, fmt.Sprintf("list %s has no candidates: expected one or more", format.Quote(id)))
		}
		return nil
	}
}

// noHead returns the number of a list and a message about a line that should begin the list.
func (r *Reader) noHead(line []byte) (list int, msg string) {
	if r.list > 0 && isScores(line) {
		return r.list, fmt.Sprintf("list %s has more than the %s that its head says: expected the head of another list",
			format.Quote([]byte(r.id)), index.Plural(r.count, "candidate"))
	}
	return r.list + 1, format.Quote(line) + ": expected the head of a list, a count and an id"
}

// next returns the next line without the white space around it.
func (r *Reader) next() ([]byte, error) {
	if r.again {
		r.again = false
		return r.line, r.err
	}
	line, err := r.lines.Next()
	r.line, r.err = bytes.TrimSpace(line), err
	return r.line, r.err
}

// isFatal says whether the error err ends the stream. io.EOF does not count, because it is the normal end.
func isFatal(err error) bool {
	switch err.(type) {
	case nil, *format.LineError:
		return false
	}
	return err != io.EOF
}

// endsEarly says whether the list ends too early at the line read last. If this line is the head of another
// list, it will be read again.
func (r *Reader) endsEarly() bool {
	r.again = r.err == io.EOF || r.err == nil && r.isHead()
	return r.again || r.err == nil && len(r.line) == 0
}

// isHead says whether the line read last can only be the head of a list.
func (r *Reader) isHead() bool {
	_, _, ok := parseHead(r.line)
	return ok && !isScores(r.line)
}

// tooShort returns an error about a list that ends too early.
func (r *Reader) tooShort(at int) error {
	msg := fmt.Sprintf("list %s ends after %d of %s: expected as many as its head says",
		format.Quote([]byte(r.id)), r.given, index.Plural(r.count, "candidate"))
	r.given = r.count
	return r.refuse(at, msg)
}

// score returns the wanted score from a line of scores, or a message if the line is wrong.
func (r *Reader) score(line []byte) (score float64, msg string) {
	want := max(r.o.ScoreColumn, 1)
	n := 0
	for f := range bytes.FieldsSeq(line) {
		x, ok := format.Score(f)
		if !ok {
			return 0, fmt.Sprintf("the score %s is no number, or too large: expected a decimal, of at most 1e100 either way", format.Quote(f))
		}
		if n++; n == want {
			score = x
		}
	}
	if n < want {
		return 0, fmt.Sprintf("%s: expected a score number %d", index.Plural(n, "score"), want)
	}
	return score, ""
}

// skipTree refuses a candidate because of its line of scores, and skips its tree.
func (r *Reader) skipTree(at int, msg string) error {
	line, err := r.next()
	r.again = err != nil || len(line) == 0 || line[0] != '('
	return r.refuseCandidate(at, msg)
}

// skipList refuses a line that should be the head of a list, and skips text up to a blank line or a head.
func (r *Reader) skipList(list int, msg string) error {
	at := r.lines.Number
	for {
		line, err := r.next()
		if isFatal(err) || err == io.EOF || err == nil && (len(line) == 0 || r.isHead()) {
			r.again = true
			return r.refuseIn(list, at, msg)
		}
	}
}

func (r *Reader) refuseCandidate(line int, msg string) error {
	return r.refuse(line, fmt.Sprintf("candidate %d: %s", r.given, msg))
}

// refuse returns an error about a line of the current list.
func (r *Reader) refuse(line int, msg string) error { return r.refuseIn(r.list, line, msg) }

// refuseIn returns an error about a line of a list. The error has the list's number as its sentence number.
func (r *Reader) refuseIn(list, line int, msg string) error {
	return &index.InputError{File: r.o.File, Line: line, Sentence: list, Msg: msg}
}
