package read

import (
	"fmt"
	"strings"

	"fstore/decode/format"
	"fstore/decode/format/conll09"
	"fstore/decode/format/conllu"
	"fstore/decode/format/conllx"
	"fstore/decode/format/convert"
	"fstore/decode/format/foreign"
	"fstore/decode/format/jsonl"
	"fstore/decode/format/klp"
	"fstore/decode/format/nbest"
	"fstore/decode/format/ptb"
	"fstore/decode/format/svmtk"
	"fstore/index"
)

// Format is a treebank format, see package format.
type Format = format.Format

// Options are what the readers of the formats are told.
type Options = format.Options

// OptionError is a wrong option, which is wrong usage: exit code 2.
type OptionError = format.OptionError

// OptionErrorf is an OptionError of one flag, named without dashes.
func OptionErrorf(option, msg string, args ...any) error {
	return format.OptionErrorf(option, msg, args...)
}

// Formats returns the registry. Where two formats are equally sure of an input,
// the earlier one reads it.
func Formats() []*Format {
	return []*Format{
		&ptb.Format,
		&conllu.Format,
		&conllx.Format,
		&conll09.Format,
		&svmtk.Format,
		&klp.Format,
		&nbest.Format,
		jsonl.New(textFormat),
	}
}

// textFormat is the format of a text that stands alone.
func textFormat(text []byte) *Format {
	if f := sniff("", text); f != nil && f.Name != "jsonl" {
		return f
	}
	return nil
}

// FormatByName returns a format of the registry.
func FormatByName(name string) (*Format, error) {
	for _, f := range Formats() {
		if f.Name == name {
			return f, nil
		}
	}
	if refusal := foreign.Refusal(name); refusal != "" {
		return nil, fmt.Errorf("%s: expected one of %s", refusal, formatList())
	}
	return nil, fmt.Errorf("unknown format %q: expected one of %s", name, formatList())
}

// formatList is the names of all formats.
func formatList() string {
	var names []string
	for _, f := range Formats() {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

// sniff returns the format that is surest of an input, nil where none is.
func sniff(file string, start []byte) *Format {
	var best *Format
	most := 0
	for _, f := range Formats() {
		if n := f.Sniff(file, start); n > most {
			best, most = f, n
		}
	}
	return best
}

// StoredFormat is the format of the registry that samples print in as they came:
// conllu for dependencies, svmtk where words are labels, else ptb.
func StoredFormat(k index.Kind, oneAlphabet bool) *Format {
	for _, f := range Formats() {
		if f.Kind == k && f.OneAlphabet == oneAlphabet && f.Append != nil {
			return f
		}
	}
	return nil
}

// FormatNames lists what samples of a kind print in: "ptb, svmtk or klp".
func FormatNames(k index.Kind) string {
	var names []string
	for _, f := range Formats() {
		if f.Kind == k && f.Append != nil {
			names = append(names, f.Name)
		}
	}
	if k == index.Dependency {
		names = append(names, convert.Shapes()...)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
