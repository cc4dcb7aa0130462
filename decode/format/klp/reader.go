package klp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

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
	rest  []byte   // of the line
	trees []string // the names of the line's trees
	built bool     // one of them is in t

	attached string // a word of the line that does not stand apart from a bracket
	unread   string // the mark of a vector
}

// Open returns a reader of the lines of r.
func Open(r io.Reader, o format.Options) *Reader {
	return &Reader{
		lines: brackets.OpenLines(r, o),
		o:     o,
		b:     index.Builder{Symbols: o.Symbols},
	}
}

// Next reads the next line into t, see index.Source. A line with several trees,
// where no representation was asked for, is a *format.OptionError.
func (r *Reader) Next(t *index.Tree) error {
	line, err := r.lines.NextSample()
	if err != nil {
		return err
	}
	r.b.Start(t, true)
	t.Line = r.lines.Number
	r.t, r.rest, r.trees, r.built = t, brackets.TrimBlanks(line), r.trees[:0], false
	r.attached, r.unread = "", ""
	if err = r.line(); err == nil {
		r.tell()
		return nil
	}
	r.b.Undo()
	if _, isOption := errors.AsType[*format.OptionError](err); isOption {
		return err
	}
	return r.lines.Refuse(err.Error())
}

// tell says what is odd about the line, which is good.
func (r *Reader) tell() {
	brackets.TellAttached(&r.o, r.t.Line, r.attached)
	if r.unread != "" && r.o.Notice != nil {
		r.o.Notice(format.Unread, r.t.Line, r.unread+" is not read: the features of its vector have names")
	}
}

// line reads a line: labels, representations.
func (r *Reader) line() error {
	if err := r.labels(); err != nil {
		return err
	}
	for r.rest = brackets.TrimBlanks(r.rest); len(r.rest) > 0; r.rest = brackets.TrimBlanks(r.rest) {
		k, name, rest := cutMark(r.rest)
		mark := r.rest[:len(r.rest)-len(rest)]
		var err error
		switch k {
		case tree:
			r.rest = rest
			err = r.tree(string(name), string(mark))
		case vector:
			r.rest = rest
			r.unread = string(mark)
			err = r.vector(r.unread)
		case str:
			r.rest = rest
			err = r.string(string(name), string(mark))
		default:
			err = fmt.Errorf("%s where a representation should start: expected |BT:name|, |BV:name| or |BS:name|", format.Quote(brackets.Field(r.rest)))
		}
		if err != nil {
			return err
		}
	}
	return r.choice()
}

// labels reads what comes before the first representation.
func (r *Reader) labels() error {
	text := r.rest[:findMark(r.rest)]
	r.rest = r.rest[len(text):]
	var labels []string
	for text = brackets.TrimBlanks(text); len(text) > 0; text = brackets.TrimBlanks(text) {
		field := brackets.Field(text)
		text = text[len(field):]
		if field[0] == '|' {
			return fmt.Errorf("%s among the labels: expected |BT:name|, |BV:name| or |BS:name| after them", format.Quote(field))
		}
		for part := range strings.SplitSeq(string(field), ",") {
			if part != "" && !slices.Contains(labels, part) {
				labels = append(labels, part)
			}
		}
	}
	switch {
	case len(labels) == 0:
		return errors.New("the line starts with a representation: expected a label")
	case len(r.rest) == 0:
		return errors.New("no representation after the label: expected |BT:name|")
	}
	if r.t.Label = strings.Join(labels, ","); r.t.Label == noLabel {
		r.t.Label = ""
	}
	return nil
}

// tree reads a tree, or passes over one that was not asked for.
func (r *Reader) tree(name, mark string) error {
	if slices.Contains(r.trees, name) {
		return fmt.Errorf("%s twice: expected each representation once", mark)
	}
	r.trees = append(r.trees, name)
	b := &r.b
	if want := r.o.Representation; want != name && want != "" || r.built {
		b = nil
	}
	r.built = r.built || b != nil
	if r.rest = brackets.TrimBlanks(r.rest); len(r.rest) > 0 && r.rest[0] == '(' {
		n, err := brackets.Tree(b, r.rest, isMark, &r.attached)
		r.rest = r.rest[n:]
		if err != nil {
			return fmt.Errorf("%s: %w", mark, err)
		}
		r.rest = brackets.TrimBlanks(r.rest)
	}
	var ended bool
	if r.rest, ended = bytes.CutPrefix(r.rest, []byte("|ET|")); ended {
		return nil
	}
	if len(r.rest) == 0 {
		return fmt.Errorf("%s has no end: expected |ET|", mark)
	}
	return fmt.Errorf("%s in %s: expected one tree, then |ET|", format.Quote(brackets.Field(r.rest)), mark)
}

// body cuts off what comes before the mark that ends a representation.
func (r *Reader) body(mark, end string) ([]byte, error) {
	i := bytes.Index(r.rest, []byte(end))
	if i < 0 {
		return nil, fmt.Errorf("%s has no end: expected %s", mark, end)
	}
	body := r.rest[:i]
	if next := findMark(body); next < len(body) {
		_, _, rest := cutMark(body[next:])
		return nil, fmt.Errorf("%s has no end before %s: expected %s", mark, body[next:len(body)-len(rest)], end)
	}
	r.rest = r.rest[i+len(end):]
	return body, nil
}

// vector checks a vector: name:value, the name being all up to the last colon.
func (r *Reader) vector(mark string) error {
	body, err := r.body(mark, "|EV|")
	if err != nil {
		return err
	}
	for len(brackets.TrimBlanks(body)) > 0 {
		body = brackets.TrimBlanks(body)
		e := brackets.Field(body)
		body = body[len(e):]
		i := bytes.LastIndexByte(e, ':')
		if i <= 0 {
			return fmt.Errorf("%s in %s is no feature: expected name:value", format.Quote(e), mark)
		}
		if _, ok := format.Decimal(e[i+1:]); !ok {
			return fmt.Errorf("the value of %s in %s is no number: expected a decimal", format.Quote(e), mark)
		}
	}
	return nil
}

// string keeps a text as a comment.
func (r *Reader) string(name, mark string) error {
	body, err := r.body(mark, "|ES|")
	if err != nil {
		return err
	}
	r.t.Comments = append(r.t.Comments, "# "+name+" = "+string(bytes.Trim(body, brackets.Blanks)))
	return nil
}

// choice says whether the line had the tree that was asked for, or just one.
func (r *Reader) choice() error {
	want := r.o.Representation
	switch {
	case want == "" && len(r.trees) > 1:
		return format.OptionErrorf("representation", "%s:%d has several trees: expected one of %s",
			r.o.File, r.lines.Number, strings.Join(r.trees, ", "))
	case len(r.trees) == 0:
		return errors.New("no tree on the line: expected |BT:name|")
	case !r.built:
		return fmt.Errorf("no |BT:%s| on the line, which has %s: expected it", want, strings.Join(r.trees, ", "))
	}
	return nil
}

// Comment returns the strings of that name of the line read last, see format.Commenter.
func (r *Reader) Comment(key string) (values []string) {
	for _, c := range r.t.Comments {
		if text, ok := strings.CutPrefix(c, "# "+key+" = "); ok {
			values = append(values, text)
		}
	}
	return values
}
