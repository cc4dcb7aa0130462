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

// Reader reads one sample from each line.
type Reader struct {
	brackets.Lines
	trees  []string // the names of the line's trees
	built  bool     // the field T has one of these trees
	unread string   // the mark of a vector, which is not read; "" if the line has no vector
}

// Open returns a reader of the lines of r.
func Open(r io.Reader, o format.Options) *Reader { return &Reader{Lines: brackets.OpenLines(r, o)} }

// Next reads the next line into t, see index.Source. If a line has several trees, Options.Representation must
// name one.
func (r *Reader) Next(t *index.Tree) error {
	line, err := r.NextSample()
	if err != nil {
		return err
	}
	r.trees, r.built, r.unread = r.trees[:0], false, ""
	if err := r.Read(t, line, r.line); err != nil {
		return err
	}
	if r.unread != "" && r.O.Notice != nil {
		r.O.Notice(format.Unread, t.Line, r.unread+" is not read: the features of its vector have names")
	}
	return nil
}

// line reads a line: the labels, then the representations.
func (r *Reader) line() error {
	if err := r.labels(); err != nil {
		return err
	}
	for r.More() {
		k, name, rest := cutMark(r.Rest)
		if k == none {
			return fmt.Errorf("%s where a representation should start: expected |BT:name|, |BV:name| or |BS:name|", r.Field())
		}
		mark := string(r.Rest[:len(r.Rest)-len(rest)])
		r.Rest = rest
		var err error
		switch k {
		case tree:
			err = r.tree(string(name), mark)
		case vector:
			r.unread = mark
			err = r.vector(mark)
		case str:
			err = r.string(string(name), mark)
		}
		if err != nil {
			return err
		}
	}
	return r.choice()
}

// labels reads the labels before the first representation.
func (r *Reader) labels() error {
	text := r.Rest[:findMark(r.Rest)]
	r.Rest = r.Rest[len(text):]
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
	case len(r.Rest) == 0:
		return errors.New("no representation after the label: expected |BT:name|")
	}
	if r.T.Label = strings.Join(labels, ","); r.T.Label == noLabel {
		r.T.Label = ""
	}
	return nil
}

// tree reads the wanted tree. Any other tree is skipped.
func (r *Reader) tree(name, mark string) error {
	if slices.Contains(r.trees, name) {
		return fmt.Errorf("%s twice: expected each representation once", mark)
	}
	r.trees = append(r.trees, name)
	want := r.O.Representation
	keep := !r.built && (want == "" || want == name)
	r.built = r.built || keep
	if err := r.Tree(keep, isMark); err != nil {
		return fmt.Errorf("%s: %w", mark, err)
	}
	switch {
	case r.Skip("|ET|"):
		return nil
	case len(r.Rest) == 0:
		return fmt.Errorf("%s has no end: expected |ET|", mark)
	}
	return fmt.Errorf("%s in %s: expected one tree, then |ET|", r.Field(), mark)
}

// body returns the text before the end mark of a representation, and moves past the end mark.
func (r *Reader) body(mark, end string) ([]byte, error) {
	i := bytes.Index(r.Rest, []byte(end))
	if i < 0 {
		return nil, fmt.Errorf("%s has no end: expected %s", mark, end)
	}
	body := r.Rest[:i]
	if next := findMark(body); next < len(body) {
		_, _, rest := cutMark(body[next:])
		return nil, fmt.Errorf("%s has no end before %s: expected %s", mark, body[next:len(body)-len(rest)], end)
	}
	r.Rest = r.Rest[i+len(end):]
	return body, nil
}

// vector checks a vector of features of the form name:value. The name is the text before the last colon.
func (r *Reader) vector(mark string) error {
	body, err := r.body(mark, "|EV|")
	if err != nil {
		return err
	}
	for body = brackets.TrimBlanks(body); len(body) > 0; body = brackets.TrimBlanks(body) {
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

// string reads a string of KeLP as the comment `# name = text` of the sample.
func (r *Reader) string(name, mark string) error {
	body, err := r.body(mark, "|ES|")
	if err != nil {
		return err
	}
	r.T.Comments = append(r.T.Comments, "# "+name+" = "+string(bytes.Trim(body, brackets.Blanks)))
	return nil
}

// choice checks that the line has the wanted tree, or exactly one tree if none is wanted.
func (r *Reader) choice() error {
	want := r.O.Representation
	switch {
	case want == "" && len(r.trees) > 1:
		return format.OptionErrorf("representation", "%s:%d has several trees: expected one of %s",
			r.O.File, r.Number, strings.Join(r.trees, ", "))
	case len(r.trees) == 0:
		return errors.New("no tree on the line: expected |BT:name|")
	case !r.built:
		return fmt.Errorf("no |BT:%s| on the line, which has %s: expected it", want, strings.Join(r.trees, ", "))
	}
	return nil
}

// Comment returns the strings with this name on the line read last, see format.Commenter.
func (r *Reader) Comment(key string) (values []string) {
	for _, c := range r.T.Comments {
		if text, ok := strings.CutPrefix(c, "# "+key+" = "); ok {
			values = append(values, text)
		}
	}
	return values
}
