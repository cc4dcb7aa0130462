package read

import (
	"strings"

	"fstore/decode/format"
	"fstore/decode/format/convert"
	"fstore/index"
)

// Where returns the file that the last sample was read from, as messages name it,
// and the number of its sentence in it, from 1.
func (in *Inputs) Where() (file string, sentence int) { return in.last.File, in.last.sentence }

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

// Named says whether the sample read last has a name of its own, sent_id or ID.
func (in *Inputs) Named() bool { return in.last.own != "" }

// Dropped counts what InputOptions.As has no place for so far.
func (in *Inputs) Dropped() (l format.Losses) {
	if in.convert != nil {
		l = in.convert.Losses()
	}
	return l
}

// Renamed is how many labels and words InputOptions.As changed so far.
func (in *Inputs) Renamed() int {
	if in.convert == nil {
		return 0
	}
	return in.convert.Changed()
}
