package index

import (
	"errors"
	"fmt"
)

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

// ErrUsage is what errors of wrong usage are, by errors.Is: what was asked for cannot be meant. The
// program ends with exit code 2.
var ErrUsage = errors.New("wrong usage")

// UsageError is wrong usage. Its message names what was given, and what there is to choose from.
// Errors that say more are types of their own, and are ErrUsage too.
type UsageError struct{ err error }

func (e *UsageError) Error() string        { return e.err.Error() }
func (e *UsageError) Unwrap() error        { return e.err }
func (e *UsageError) Is(target error) bool { return target == ErrUsage }

// Usagef returns a *UsageError with the message, and the wrapped errors, of fmt.Errorf.
func Usagef(format string, args ...any) error { return &UsageError{fmt.Errorf(format, args...)} }

// BadSample is the error of t, which src has just given, and what is wrong with it. It says where t
// stands if src knows, and else its name.
func BadSample(src Source, t *Tree, err error) *InputError {
	bad := &InputError{File: t.Name, Line: t.Line, Msg: err.Error()}
	if p, ok := src.(interface{ Where() (string, int) }); ok {
		bad.File, bad.Sentence = p.Where()
	}
	return bad
}

// CheckSame returns an error where t is of another kind or alphabet.
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
