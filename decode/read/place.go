package read

import (
	"strings"

	"fstore/decode/format"
	"fstore/decode/format/convert"
	"fstore/index"
)

// Place is where a sample or an error stands.
type Place struct {
	File     string
	sentence int    // of the file, from 1; in an n-best list, that of all its candidates
	own      string // the sample's own name, "" for none
	list     int    // the n-best list it is of, from 1 through all inputs; 0: none
	record   *Input
}

// placed is implemented by sources that know where their last sample stands.
type placed interface {
	Where() (file string, sentence int)
}

// PlaceOf is where t, which src has just given, stands; a stored sample has a name only.
func PlaceOf(src index.Source, t *index.Tree) Place {
	if p, ok := src.(placed); ok {
		file, sentence := p.Where()
		return Place{File: file, sentence: sentence}
	}
	return Place{File: t.Name}
}

// BadTree is the error of a tree that was read, and has no vector.
func BadTree(p Place, line int, err error) *index.InputError {
	return &index.InputError{File: p.File, Line: line, Sentence: p.sentence, Msg: err.Error()}
}

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
