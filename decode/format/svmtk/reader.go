package svmtk

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"fstore/decode/format"
	"fstore/decode/format/internal/brackets"
	"fstore/index"
)

// Reader reads lines.
type Reader struct {
	lines *brackets.Lines
	o     format.Options
	b     index.Builder
	t     *index.Tree
	rest  []byte // of the line
	trees int    // on this line so far
	model model

	attached string // a word of the line that does not stand apart from a bracket
}

// Open returns a reader of the lines of r.
func Open(r io.Reader, o format.Options) *Reader {
	return &Reader{
		lines: brackets.OpenLines(r, o),
		o:     o,
		b:     index.Builder{Symbols: o.Symbols},
	}
}

// Next reads the next line into t, see index.Source.
func (r *Reader) Next(t *index.Tree) error {
	line, err := r.lines.NextSample()
	for err == nil && r.lines.Sentence == 1 && bytes.HasPrefix(line, []byte(modelStart)) {
		r.lines.Sentence = 0
		if err := r.modelHead(); err != nil {
			return err
		}
		line, err = r.lines.NextSample()
	}
	switch {
	case err == io.EOF:
		return r.modelEnd()
	case err != nil:
		return err
	}
	r.b.Start(t, true)
	t.Line = r.lines.Number
	r.t, r.rest, r.trees, r.attached = t, line, 0, ""
	if err := r.line(); err != nil {
		r.b.Undo()
		return r.lines.Refuse(err.Error())
	}
	brackets.TellAttached(&r.o, t.Line, r.attached)
	return nil
}

// line reads a line: a label, trees, vectors.
func (r *Reader) line() error {
	if brackets.IsBlank(r.rest[0]) {
		return errors.New("a space at the start of the line: expected a label")
	}
	label, rest := cutLabel(r.rest)
	switch {
	case len(label) == 0:
		return errors.New(`the line starts with "|": expected a label`)
	case !isLabel(label):
		return fmt.Errorf("the label %s is no number: expected one such as 1 or -1", format.Quote(label))
	}
	r.t.Label = string(label)
	r.rest = rest
	if err := r.query(); err != nil {
		return err
	}
	if r.skip("|BT|") {
		if err := r.forest(); err != nil {
			return err
		}
	}
	if n := r.o.Tree; n > r.trees {
		return fmt.Errorf("%s on the line: expected a tree number %d", index.Plural(r.trees, "tree"), n)
	}
	if err := r.query(); err != nil {
		return err
	}
	return r.vectors()
}

// query reads the qid:N of a ranking, if that is next: the sample's document.
func (r *Reader) query() error {
	if r.t.Document != "" || !r.skip("qid:") {
		return nil
	}
	id := brackets.Field(r.rest)
	if !IsQuery(id) {
		return fmt.Errorf("the query %s after qid: is no number: expected a whole one", format.Quote(id))
	}
	r.t.Document = string(id)
	r.rest = r.rest[len(id):]
	return nil
}

// IsQuery says whether id can stand after qid:.
func IsQuery(id []byte) bool { return len(id) > 0 && len(bytes.Trim(id, "0123456789")) == 0 }

// skip passes over blanks and mark, if it is next.
func (r *Reader) skip(mark string) bool {
	r.rest = brackets.TrimBlanks(r.rest)
	if !bytes.HasPrefix(r.rest, []byte(mark)) {
		return false
	}
	r.rest = r.rest[len(mark):]
	return true
}

// forest reads what follows the first |BT|, up to |ET|.
func (r *Reader) forest() error {
	for {
		r.trees++
		r.rest = brackets.TrimBlanks(r.rest)
		if len(r.rest) > 0 && r.rest[0] == '(' {
			if err := r.tree(r.o.Tree == 0 || r.o.Tree == r.trees); err != nil {
				return err
			}
		}
		switch {
		case r.skip("|BT|"):
		case r.skip("|ET|"):
			return nil
		case len(r.rest) == 0:
			return errors.New("no |ET| after the trees: expected |BT| or |ET|")
		default:
			return fmt.Errorf("%s between trees: expected |BT| or |ET|", format.Quote(brackets.Field(r.rest)))
		}
	}
}

// tree reads one tree, and passes over it where keep is false.
func (r *Reader) tree(keep bool) error {
	b := &r.b
	if !keep {
		b = nil
	}
	n, err := brackets.Tree(b, r.rest, isMark, &r.attached)
	r.rest = r.rest[n:]
	if err != nil {
		return fmt.Errorf("tree %d: %w", r.trees, err)
	}
	return nil
}

func isMark(b []byte) bool {
	switch string(b) {
	case "|BT|", "|ET|", "|BV|", "|EV|":
		return true
	}
	return false
}

// vectors reads the rest of the line. The first vector may have a |BV| before it
// or not.
func (r *Reader) vectors() error {
	var v *[]index.Feature
	for {
		r.rest = brackets.TrimBlanks(r.rest)
		switch {
		case len(r.rest) == 0:
			return nil
		case r.rest[0] == '#':
			r.t.Comments = append(r.t.Comments, string(r.rest))
			r.rest = nil
		case r.skip("|EV|"):
			if r.rest = brackets.TrimBlanks(r.rest); len(r.rest) > 0 && r.rest[0] != '#' {
				return fmt.Errorf("%s after |EV|: expected the end of the line", format.Quote(brackets.Field(r.rest)))
			}
		case r.skip("|BV|"):
			v = r.nextVector()
		default:
			if v == nil {
				v = r.nextVector()
			}
			if err := r.entry(v); err != nil {
				return err
			}
		}
	}
}

// nextVector appends an empty vector to the sample, with the memory of an old
// one. The pointer is valid until the next call.
func (r *Reader) nextVector() *[]index.Feature {
	n := len(r.t.Vectors)
	if n < cap(r.t.Vectors) {
		r.t.Vectors = r.t.Vectors[:n+1]
		r.t.Vectors[n] = r.t.Vectors[n][:0]
	} else {
		r.t.Vectors = append(r.t.Vectors, nil)
	}
	return &r.t.Vectors[n]
}

// entry reads index:value.
func (r *Reader) entry(v *[]index.Feature) error {
	e := brackets.Field(r.rest)
	if i := bytes.IndexByte(e, '|'); i > 0 {
		e = e[:i]
	}
	r.rest = r.rest[len(e):]
	i, x, found := bytes.Cut(e, []byte{':'})
	id, err := strconv.ParseUint(string(i), 10, 32)
	if !found || err != nil || id == 0 {
		return fmt.Errorf("%s is no feature: expected index:value, with an index from 1", format.Quote(e))
	}
	value, ok := format.Decimal(x)
	if !ok {
		return fmt.Errorf("the value of %s is no number: expected a finite decimal", format.Quote(e))
	}
	if n := len(*v); n > 0 && uint64((*v)[n-1].ID) >= id {
		return fmt.Errorf("index %d follows %d: expected ascending indices", id, (*v)[n-1].ID)
	}
	*v = append(*v, index.Feature{ID: uint32(id), Value: value})
	return nil
}
