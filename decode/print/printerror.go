package print

// PrintError says that a sample cannot be printed in a format; others can.
type PrintError struct{ err error }

func (e *PrintError) Error() string { return e.err.Error() }

func (e *PrintError) Unwrap() error { return e.err }
