package index

import (
	"errors"
	"fmt"
)

// Source is a stream of samples. Next refills t and returns nil, or io.EOF after
// the last, or an *InputError for one bad sample: after that the next call
// resynchronises at the following sample. Any other error ends the stream.
type Source interface{ Next(t *Tree) error }

// KnowLabels tells src the labels that there are already: one of its labels that is the
// same number as one of them is that one.
func KnowLabels(src Source, labels []string) {
	if s, ok := src.(interface{ KnowLabels(labels []string) }); ok {
		s.KnowLabels(labels)
	}
}

// InputError is bad input: exit code 3. Line and Sentence are 1-based, 0 where
// there is none; Sentence counts the samples of its file, bad ones included.
type InputError struct {
	File     string
	Line     int
	Sentence int
	Msg      string // what was wrong, and what was expected
	Fatal    bool   // nothing more can be read from File (a broken gzip): --on-error skip does not help
}

func (e *InputError) Error() string {
	s := e.File
	if e.Line > 0 {
		s += fmt.Sprintf(":%d", e.Line)
	}
	s += ": "
	if e.Sentence > 0 {
		s += fmt.Sprintf("sentence %d: ", e.Sentence)
	}
	return s + e.Msg
}

// ErrAbsent says that a fragment's text is well formed and holds a symbol that
// the store does not know: no sample can contain it.
var ErrAbsent = errors.New("absent: a symbol of it never occurs")
