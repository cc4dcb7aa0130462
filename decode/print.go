package decode

import (
	"errors"
	"io"
	"slices"

	"fstore/decode/convert"
	"fstore/index"
	"fstore/store"
)

// Printer prints samples in a format. Labels that the format has no place for are
// numbered as those of a store are (LabelNumbers).
type Printer struct {
	Format *Format
	// Inputs are read once more, by itself, where their labels have to be numbered: all
	// must be known for that. The labels of standard input cannot be.
	Inputs  []string
	Options InputOptions

	numbers *LabelNumbers
}

// NewPrinter returns a printer of what inputs hold, and sets the options that reading
// them takes: to is a format, or one of convert.Shapes, which is svmtk of what
// dependencies become.
func NewPrinter(to string, inputs []string, o *InputOptions) (*Printer, error) {
	if slices.Contains(convert.Shapes(), to) {
		if o.As.Shape != "" && o.As.Shape != to {
			return nil, optionErrorf("to", "%s and --as %s: expected one of them", to, o.As.Shape)
		}
		o.As.Shape, to = to, "svmtk"
	}
	f, err := FormatByName(to)
	if err != nil {
		return nil, optionErrorf("to", "%v", err)
	}
	if f.Append == nil {
		return nil, optionErrorf("to", "%s: the format is only read", to)
	}
	return &Printer{Format: f, Inputs: inputs, Options: *o}, nil
}

// Numbers is the numbering of labels, nil where none was needed so far.
func (p *Printer) Numbers() *LabelNumbers { return p.numbers }

// Append appends t as a sample.
func (p *Printer) Append(dst []byte, t *index.Tree, s *index.Symbols) ([]byte, error) {
	if p.Format.NumericLabel == nil || t.Label == "" || p.Format.NumericLabel(t.Label) {
		return Append(dst, p.Format, t, s)
	}
	if p.numbers == nil {
		if err := p.number(t.Label); err != nil {
			return dst, err
		}
	}
	label := t.Label
	defer func() { t.Label = label }()
	var err error
	if t.Label, err = p.numbers.Numbers(label, ""); err != nil {
		return dst, err
	}
	return Append(dst, p.Format, t, s)
}

// number reads all labels.
func (p *Printer) number(label string) error {
	if l := &p.Options.LabelOptions; len(l.Label) > 0 && len(l.LabelFrom) == 0 && l.LabelsFile == "" {
		p.numbers = NumberSamples(l.Label)
		return nil
	}
	if slices.Contains(p.Inputs, "-") {
		return optionErrorf("to", "%s: the label %q is no number, and to number all labels standard input would have to be read twice: expected files, or other labels", p.Format.Name, label)
	}
	o := p.Options
	o.Symbols = scratchSymbols()
	o.SkipLog = nil
	in, err := OpenInputs(p.Inputs, o)
	if err != nil {
		return err
	}
	defer in.Close()
	seen := map[string]bool{}
	var names []string
	var t index.Tree
	for {
		err := in.Next(&t)
		if bad := (*index.InputError)(nil); errors.As(err, &bad) && !bad.Fatal {
			continue // the first reading comes to it
		}
		if err == io.EOF {
			p.numbers = NumberLabels(names)
			return nil
		}
		if err != nil {
			return err
		}
		store.SplitLabels(t.Label, func(name string) {
			if !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		})
	}
}
