package decode

import (
	"fmt"
	"strings"

	"fstore/decode/conllu"
	"fstore/decode/format"
	"fstore/decode/ptb"
	"fstore/decode/svmtk"
	"fstore/index"
)

// Format is a treebank format, see package format.
type Format = format.Format

// Options are what the readers of the formats are told.
type Options = format.Options

// Formats returns the registry. Where two formats are equally sure of an input,
// the earlier one reads it.
func Formats() []*Format {
	return []*Format{
		&ptb.Format,
		&conllu.Format,
		&svmtk.Format,
	}
}

// FormatByName returns a format of the registry.
func FormatByName(name string) (*Format, error) {
	var names []string
	for _, f := range Formats() {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return nil, fmt.Errorf("unknown format %q: expected one of %s", name, strings.Join(names, ", "))
}

// sniff returns the format that is surest of an input, nil where none is.
func sniff(file string, head []byte) *Format {
	var best *Format
	most := 0
	for _, f := range Formats() {
		if n := f.Sniff(file, head); n > most {
			best, most = f, n
		}
	}
	return best
}

// Append appends t as a sample of format f.
func Append(dst []byte, f *Format, t *index.Tree, s *index.Symbols) ([]byte, error) {
	if f.Append == nil {
		return dst, fmt.Errorf("format %s is only read", f.Name)
	}
	return f.Append(dst, t, s)
}
