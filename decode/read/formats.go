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

// Options are the options for the readers of formats.
type Options = format.Options

// OptionError is a wrong option, which is wrong usage: exit code 2.
type OptionError = format.OptionError

// OptionErrorf returns an OptionError about a flag, named without dashes.
func OptionErrorf(option, msg string, args ...any) error {
	return format.OptionErrorf(option, msg, args...)
}

// Formats returns all formats. If several have the highest score (Format.Sniff), the first of them in this
// list is used.
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

// textFormat returns the format of a tree in a line of jsonl, or nil.
func textFormat(text []byte) *Format {
	if f := sniff("", text); f != nil && f.Name != "jsonl" {
		return f
	}
	return nil
}

// FormatByName returns the format with this name. If there is none, the error lists all names.
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

// formatList returns the names of all formats, for a message.
func formatList() string {
	var names []string
	for _, f := range Formats() {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

// sniff returns the format with the highest score for an input, or nil if no format has a score.
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

// StoredFormat returns the format in which stored samples are printed: conllu for dependency trees, svmtk for
// trees of one alphabet, ptb for other trees.
func StoredFormat(k index.Kind, oneAlphabet bool) *Format {
	for _, f := range Formats() {
		if f.Kind == k && f.OneAlphabet == oneAlphabet && f.Append != nil {
			return f
		}
	}
	return nil
}

// FormatNames returns the names of the formats that can print samples of a kind, as text: "ptb, svmtk or
// klp".
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
