package read

import (
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
