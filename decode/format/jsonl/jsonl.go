// Package jsonl reads one sample from each line of JSON. A line is a string with the text of one tree, in any
// format that fstore reads. It can also be an object with this text under "text", and optionally "label",
// "name" and "document". Every line is one sample, so a program that pipes texts gets one output row for each
// text.
package jsonl

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"fstore/decode/format"
	"fstore/index"
)

// New returns the format. The function `formatOf` finds the format of a tree's text, or returns nil.
func New(formatOf func(text []byte) *format.Format) *format.Format {
	return &format.Format{
		Name:  "jsonl",
		Kind:  index.Dependency, // other kinds are read too, but --as needs dependency trees
		Sniff: sniff,
		Open: func(r io.Reader, o format.Options) index.Source {
			scratch := index.NewSymbols()
			scratch.Freeze()
			return &reader{lines: format.NewLines(r, o.Limit()), o: o, formatOf: formatOf, scratch: scratch}
		},
	}
}

// sniff checks whether the first line is a JSON string or an object.
func sniff(file string, head []byte) int {
	line, _, _ := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
	switch {
	case !bytes.HasPrefix(line, []byte(`"`)) && !bytes.HasPrefix(line, []byte("{")):
		return 0
	case path.Ext(file) == ".jsonl" || json.Valid(line):
		return 90
	}
	return 10
}

// sample has the fields of a line that is an object.
type sample struct{ Text, Label, Name, Document string }

// reader reads samples, one from each line.
type reader struct {
	lines    *format.Lines
	o        format.Options
	formatOf func(text []byte) *format.Format
	sentence int
	inner    index.Source   // the reader of the last line's text
	scratch  *index.Symbols // symbols for a text that may still be refused
	first    *format.Format // the format of the first good text
}

// Next reads the next line into t, see index.Source.
func (r *reader) Next(t *index.Tree) error {
	for {
		line, err := r.lines.Next()
		if err == nil && len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if _, isBad := err.(*format.LineError); err != nil && !isBad {
			return err
		}
		r.sentence++
		var x sample
		if err == nil {
			x, err = parse(line)
		}
		if err != nil {
			return r.refuse(t, err.Error())
		}
		return r.text(t, r.normal(x))
	}
}

func (r *reader) Comment(key string) []string {
	if c, ok := r.inner.(format.Commenter); ok {
		return c.Comment(key)
	}
	return nil
}

func (r *reader) refuse(t *index.Tree, msg string) error {
	t.Reset()
	t.Line = r.lines.Number
	return &index.InputError{File: r.o.File, Line: r.lines.Number, Sentence: r.sentence, Msg: msg}
}

var errExpected = errors.New(`expected a JSON string with the text of a tree, or an object with that under "text", and "label", "name" and "document"`)

// parse returns the fields of a line of JSON.
func parse(line []byte) (x sample, err error) {
	if err := index.CheckJSON(line); err != nil {
		return x, err
	}
	d := json.NewDecoder(bytes.NewReader(line))
	if bytes.TrimSpace(line)[0] == '{' {
		err = x.object(d)
	} else if d.Decode(&x.Text) != nil {
		err = errExpected
	}
	if err != nil {
		return x, err
	}
	if _, err := d.Token(); err != io.EOF {
		return x, errExpected
	}
	if strings.TrimSpace(x.Text) == "" {
		return x, errors.New("the text is empty: expected a tree")
	}
	return x, nil
}

// object reads the keys of an object. Each key is allowed once.
func (x *sample) object(d *json.Decoder) error {
	fields := map[string]*string{"text": &x.Text, "label": &x.Label, "name": &x.Name, "document": &x.Document}
	if _, err := d.Token(); err != nil {
		return errExpected
	}
	seen := map[string]bool{}
	for d.More() {
		key, err := d.Token()
		name, isText := key.(string)
		switch {
		case err != nil || !isText:
			return errExpected
		case fields[name] == nil:
			return fmt.Errorf("the key %q: %w", name, errExpected)
		case seen[name]:
			return fmt.Errorf("the key %q stands there twice", name)
		}
		seen[name] = true
		if d.Decode(fields[name]) != nil {
			return errExpected
		}
	}
	if _, err := d.Token(); err != nil {
		return errExpected
	}
	return nil
}

// normal returns x with Options.Normal applied to its texts.
func (r *reader) normal(x sample) sample {
	if n := r.o.Normal; n != nil {
		x = sample{n(x.Text), n(x.Label), n(x.Name), n(x.Document)}
	}
	return x
}

// text reads the text of x, which must be one tree, into t. It first reads with scratch symbols, so that a
// refused text leaves no symbols.
func (r *reader) text(t *index.Tree, x sample) error {
	text := strings.TrimLeft(x.Text, "\ufeff \t\r\n")
	f := r.formatOf([]byte(text))
	if f == nil {
		return r.refuse(t, "no tree: the text is in no format that is known")
	}
	o := r.o
	o.Symbols, o.Notice, o.Losses = r.scratch, nil, nil
	r.scratch.Rollback()
	src := f.Open(strings.NewReader(text), o)
	for n := 0; ; n++ {
		err := src.Next(t)
		switch {
		case err == io.EOF && n == 0:
			return r.refuse(t, "no tree in the text: expected one")
		case err == io.EOF:
			return r.readChecked(f, t, text, x)
		case err != nil:
			return r.errorInside(t, err)
		case n == 1:
			return r.refuse(t, "more than one tree in the text: expected one")
		case r.o.Dependencies && t.Kind != index.Dependency:
			return r.refuse(t, "a constituency tree: --as makes trees of dependencies")
		case !r.o.Symbols.Frozen() && r.first != nil && (f.Kind != r.first.Kind || f.OneAlphabet != r.first.OneAlphabet):
			// If the symbols are not frozen, the trees go into a store, which has trees of one kind.
			return r.refuse(t, fmt.Sprintf("a tree in the format %s, and the first tree is one in %s: expected trees of one kind", f.Name, r.first.Name))
		}
	}
}

// readChecked reads the tree of a text that has no error, and sets the fields of t that x gives.
func (r *reader) readChecked(f *format.Format, t *index.Tree, text string, x sample) error {
	o := r.o
	if r.o.Notice != nil {
		o.Notice = func(kind format.Notice, _ int, text string) { r.o.Notice(kind, r.lines.Number, text) }
	}
	r.inner = f.Open(strings.NewReader(text), o)
	if err := r.inner.Next(t); err != nil {
		return r.errorInside(t, err)
	}
	t.Line = r.lines.Number
	r.first = cmp.Or(r.first, f)
	for _, field := range []struct {
		to   *string
		from string
	}{{&t.Label, x.Label}, {&t.Name, x.Name}, {&t.Document, x.Document}} {
		if field.from != "" {
			*field.to = field.from
		}
	}
	return nil
}

// errorInside turns an error about the text in a line into an error about that line.
func (r *reader) errorInside(t *index.Tree, err error) error {
	bad, ok := errors.AsType[*index.InputError](err)
	if !ok {
		return err
	}
	if bad.Line > 1 {
		return r.refuse(t, fmt.Sprintf("line %d of the text: %s", bad.Line, bad.Msg))
	}
	return r.refuse(t, bad.Msg)
}
