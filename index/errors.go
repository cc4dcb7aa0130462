package index

import (
	"errors"
	"fmt"
)

// InputError is an error in the input, with exit code 3. Line and Sentence count from 1; 0 means unknown.
// Sentence also counts the bad samples of a file.
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

// ErrAbsent says that the store does not know a symbol of a well-formed fragment. So no sample contains the
// fragment.
var ErrAbsent = errors.New("absent: a symbol of it never occurs")

// ErrUsage marks errors of wrong usage, for errors.Is. The program ends with exit code 2.
var ErrUsage = errors.New("wrong usage")

// UsageError is wrong usage. Its message names what the user gave, and the possible choices.
type UsageError struct{ err error }

func (e *UsageError) Error() string        { return e.err.Error() }
func (e *UsageError) Unwrap() error        { return e.err }
func (e *UsageError) Is(target error) bool { return target == ErrUsage }

// Usagef returns a *UsageError with the message that fmt.Errorf makes. The error wraps what %w stands for.
func Usagef(format string, args ...any) error { return &UsageError{fmt.Errorf(format, args...)} }

// CheckSame returns an error if t has another kind or another OneAlphabet.
func CheckSame(kind Kind, oneAlphabet bool, t *Tree) error {
	if t.Kind == kind && t.OneAlphabet == oneAlphabet {
		return nil
	}
	describe := func(k Kind, oneAlphabet bool) string {
		switch {
		case k == Dependency:
			return "dependency trees"
		case oneAlphabet:
			return "constituency trees whose words are labels (svmtk)"
		}
		return "bracketed constituency trees"
	}
	return fmt.Errorf("samples of different kinds do not mix: there are %s, and this is one of %s",
		describe(kind, oneAlphabet), describe(t.Kind, t.OneAlphabet))
}
