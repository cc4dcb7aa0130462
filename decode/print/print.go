// Package print writes trees in a treebank format.
package print

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"

	"fstore/decode/format"
	"fstore/decode/format/convert"
	"fstore/decode/format/svmtk"
	"fstore/decode/read"
	"fstore/index"
)

// Printer prints samples in a format. If the format cannot write a label, all labels become numbers, as in a
// store (see LabelNumbers).
type Printer struct {
	Format *read.Format
	// Inputs are read a second time to number their labels. Standard input cannot be read twice.
	Inputs  []string
	Options read.InputOptions
	// Spaces replaces spaces within fields if the format does not allow them. If Spaces is "", such a space
	// is an error.
	Spaces string

	Losses  format.Losses      // counts of what has been changed or left out so far
	Numbers *read.LabelNumbers // numbers of labels; nil if none was needed so far
	alike   bool               // a sample has the label that is written for "no label"
}

// PrintError says that one sample cannot be printed in a format. Other samples can.
type PrintError struct{ err error }

func (e *PrintError) Error() string { return e.err.Error() }

func (e *PrintError) Unwrap() error { return e.err }

// Mistaken returns how many samples without a label are printed with a label that another sample really has.
func (p *Printer) Mistaken() int {
	if !p.alike {
		return 0
	}
	return p.Losses.Unlabelled
}

// NewPrinter returns a printer for the samples of inputs, and sets in `o` how to read them. If the format is
// one of convert.Shapes, trees get this shape and are printed as svmtk.
func NewPrinter(to string, inputs []string, o *read.InputOptions) (*Printer, error) {
	if slices.Contains(convert.Shapes(), to) {
		if o.As.Shape != "" && o.As.Shape != to {
			return nil, read.OptionErrorf("to", "%s and --as %s: expected one of them", to, o.As.Shape)
		}
		o.As.Shape, to = to, "svmtk"
	}
	f, err := read.FormatByName(to)
	switch {
	case err != nil:
		return nil, read.OptionErrorf("to", "unknown format %q: expected one of %s", to, printedList())
	case f.Append == nil:
		return nil, read.OptionErrorf("to", "%s: the format is only read: expected one of %s", to, printedList())
	}
	return &Printer{Format: f, Inputs: inputs, Options: *o}, nil
}

// printedList returns the names that NewPrinter accepts.
func printedList() string {
	var names []string
	for _, f := range read.Formats() {
		if f.Append != nil {
			names = append(names, f.Name)
		}
	}
	return strings.Join(append(names, convert.Shapes()...), ", ")
}

// LeaveOutID counts a name for which the format has no place. Names of dependency trees are in their
// comments, which Losses counts already.
func (p *Printer) LeaveOutID(t *index.Tree) {
	if t.Kind == index.Constituency && p.Options.As.Shape == "" {
		p.Losses.IDs++
	}
}

// Append appends t as a sample. If the error is a *PrintError, it concerns only this sample.
func (p *Printer) Append(dst []byte, t *index.Tree, s *index.Symbols) ([]byte, error) {
	if !hasLabel(p.Format, t) {
		if p.Numbers == nil {
			if err := p.number(t.Label); err != nil {
				return dst, err
			}
		}
		number, err := p.Numbers.Numbers(t.Label, "")
		if err != nil {
			return dst, err
		}
		defer func(label string) { t.Label = label }(t.Label)
		t.Label = number
	}
	if p.Format.NoSpaces {
		if err := p.fillSpaces(t, s); err != nil {
			return dst, &PrintError{err}
		}
	}
	dst, err := p.Format.Append(dst, t, s)
	if err != nil {
		return dst, &PrintError{err}
	}
	if p.Format.Losses != nil {
		p.Losses.Add(p.Format.Losses(t, s))
	}
	if t.Group != "" && len(t.Comments) == 0 && p.Options.As.Shape == "" { // comments contain the group
		p.Losses.Scores++
	}
	if t.Label != "" && !p.Format.OneAlphabet { // only formats with one alphabet have labels
		p.Losses.Labels++
	}
	if p.Format.NoLabel != "" {
		if t.Label == "" {
			p.Losses.Unlabelled++
		}
		index.SplitLabels(t.Label, func(label string) { p.alike = p.alike || index.SameLabel(label, p.Format.NoLabel) })
	}
	numbered := p.Format.NumericLabel != nil // like svmtk, which writes documents as qid
	if t.Document != "" && t.Kind == index.Constituency && p.Options.As.Shape == "" && !(numbered && svmtk.IsQuery([]byte(t.Document))) {
		p.Losses.Documents++ // comments of a dependency tree contain the document
	}
	return dst, nil
}

// hasLabel says whether f can write the label of t.
func hasLabel(f *read.Format, t *index.Tree) bool {
	return f.NumericLabel == nil || t.Label == "" || f.NumericLabel(t.Label)
}

// fillSpaces replaces each space within a field of t by p.Spaces. If p.Spaces is "", a space is an error.
func (p *Printer) fillSpaces(t *index.Tree, s *index.Symbols) error {
	for i := range t.Tokens {
		k := &t.Tokens[i]
		for _, f := range [...]struct {
			name string
			id   *uint32
		}{{"FORM", &k.Form}, {"LEMMA", &k.Lemma}, {"UPOS", &k.UPOS}, {"XPOS", &k.XPOS}, {"FEATS", &k.Feats}, {"DEPREL", &k.Rel}} {
			text := string(s.Bytes(index.Words, *f.id))
			if !strings.ContainsFunc(text, unicode.IsSpace) {
				continue
			}
			if p.Spaces == "" {
				return fmt.Errorf("word %d: a space in %s %q has no place in %s: expected none, or --spaces TEXT", i+1, f.name, text, p.Format.Name)
			}
			var b strings.Builder
			for _, r := range text {
				if unicode.IsSpace(r) {
					b.WriteString(p.Spaces)
				} else {
					b.WriteRune(r)
				}
			}
			*f.id = s.Intern(index.Words, []byte(b.String()))
			p.Losses.Spaces++
		}
	}
	return nil
}

// number sets p.Numbers for all labels of the inputs. The given label is for the error message.
func (p *Printer) number(label string) error {
	if l := &p.Options.LabelOptions; len(l.Label) > 0 && len(l.LabelFrom) == 0 && l.LabelsFile == "" {
		p.Numbers = read.NumberLabels(l.Label...)
		return nil
	}
	if slices.Contains(p.Inputs, "-") {
		return read.OptionErrorf("to", "%s: the label %q is no number, and to number all labels standard input would have to be read twice: expected files, or other labels", p.Format.Name, label)
	}
	o := p.Options
	o.Symbols = read.ScratchSymbols()
	o.SkipLog, o.OnNote, o.OnWarn = nil, nil, nil
	in, err := read.Open(p.Inputs, o)
	if err != nil {
		return err
	}
	defer in.Close()
	labels := map[string]bool{}
	var t index.Tree
	for {
		err := in.Next(&t)
		if bad := (*index.InputError)(nil); errors.As(err, &bad) && !bad.Fatal {
			continue // reported by the first reading
		}
		if err == io.EOF {
			p.Numbers = read.NumberLabels(slices.Collect(maps.Keys(labels))...)
			return nil
		}
		if err != nil {
			return err
		}
		labels[t.Label] = true
	}
}
