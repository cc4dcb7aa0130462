// Package usage has the error for a wrong command line: exit code 2. It imports nothing from the project, so
// that all packages can return it.
package usage

import "fmt"

// Error is an error of usage: an unknown column, format or flag value. Its message quotes the value and lists
// the possible ones.
type Error struct{ Msg string }

func (e *Error) Error() string { return e.Msg }

// Errorf returns an *Error with a formatted message.
func Errorf(format string, args ...any) error {
	return &Error{Msg: fmt.Sprintf(format, args...)}
}
