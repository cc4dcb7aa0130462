// Package usage holds the error of a command line that cannot be meant: exit
// code 2. It imports nothing, so that every package below cli can return one.
package usage

import "fmt"

// Error is wrong usage: an unknown column, format or flag value. Its message
// names what was given and what there is to choose from.
type Error struct{ Msg string }

func (e *Error) Error() string { return e.Msg }

// Errorf returns an *Error with this message.
func Errorf(format string, args ...any) error {
	return &Error{Msg: fmt.Sprintf(format, args...)}
}
