package disk

import (
	"fmt"
	"runtime"
	"sync"
)

// fatalities is the logger of one database. It drops the log, since what matters
// comes back as an error, but for what is meant to end the process: a failed write
// of the manifest, also in the database's own goroutines. Fatalf does not return;
// whoever waits for the database in do gets the error, and the database must not
// be used any more, nor closed.
type fatalities struct {
	once sync.Once
	gone chan struct{} // closed after err is set
	err  error
}

func newFatalities() *fatalities { return &fatalities{gone: make(chan struct{})} }

func (*fatalities) Infof(string, ...any)  {}
func (*fatalities) Errorf(string, ...any) {}

// Fatalf ends the calling goroutine.
func (f *fatalities) Fatalf(format string, args ...any) {
	err := fatalError{text: "database: " + fmt.Sprintf(format, args...)}
	for _, a := range args {
		if cause, ok := a.(error); ok {
			err.cause = cause
		}
	}
	f.die(err)
	runtime.Goexit()
}

// fatalError is what the database gave up with, and the error that made it: one of the
// operating system's is no damage.
type fatalError struct {
	text  string
	cause error // may be nil
}

func (e fatalError) Error() string { return e.text }
func (e fatalError) Unwrap() error { return e.cause }

func (f *fatalities) die(err error) {
	f.once.Do(func() {
		f.err = err
		close(f.gone)
	})
}

// broken says whether the database gave up.
func (f *fatalities) broken() bool {
	select {
	case <-f.gone:
		return true
	default:
		return false
	}
}

// do calls a method of the database that writes, or may wait for one of its
// goroutines that does. Panics come back as errors too.
func (f *fatalities) do(call func() error) error {
	if f.broken() {
		return f.err
	}
	done := make(chan error, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				f.die(fmt.Errorf("database: %v", r))
			}
		}()
		done <- call()
	}()
	select {
	case err := <-done:
		return err
	case <-f.gone:
		return f.err
	}
}
