package index

import (
	"fmt"
)

// UsageError says why spaces cannot be indexed as they were chosen: wrong usage.
type UsageError struct{ Msg string }

func (e *UsageError) Error() string { return e.Msg }

func Usagef(format string, args ...any) error {
	return &UsageError{fmt.Sprintf(format, args...)}
}
