package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"

	"github.com/cockroachdb/pebble/v2"
)

// Errors of a store as a whole. All except ErrNotFound come as an *Error.
var (
	// ErrNotStore: a store was expected, and there is none.
	ErrNotStore = errors.New("no fstore store")
	// ErrExists: a new store cannot be made, since there is a store already.
	ErrExists = errors.New("there is a store already")
	// ErrNotEmpty: a new store cannot be made, since the directory has other files.
	ErrNotEmpty = errors.New("directory has other files")
	// ErrLocked: another process writes the store, or commits faster than this process can open the store.
	ErrLocked = errors.New("store is locked")
	// ErrDamaged: the bytes on disk are not the bytes that were written.
	ErrDamaged = errors.New("store is damaged")
	// ErrVersion: another version of the program has written the store.
	ErrVersion = errors.New("store is of another version")
	// ErrNotFound: a key is absent. The store itself is not at fault.
	ErrNotFound = errors.New("not found")
)

// Error is one of the errors above with its details.
type Error struct {
	Dir    string // path of the store
	Kind   error  // one of the errors above, such as ErrNotStore
	Detail string // what was found, or what to do; may be empty
	Err    error  // the cause; may be nil
}

func (e *Error) Error() string {
	s := e.Dir + ": " + e.Kind.Error()
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

// Plain returns the details of a corruption error of the database. It returns any other error unchanged.
func Plain(err error) error {
	if info := pebble.ExtractDataCorruptionInfo(err); info != nil {
		return info.Details
	}
	return err
}

// IsOfProcess says whether an error is about this process, not about the file: no permission, no memory, or
// no file handle left.
func IsOfProcess(err error) bool {
	all := []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, fs.ErrPermission}
	return slices.ContainsFunc(all, func(e error) bool { return errors.Is(err, e) })
}

// errMalformed marks values and keys that cannot be decoded.
var errMalformed = errors.New("malformed")

// Malformed returns the error for a value or a key that cannot be decoded. ReadError turns it into
// ErrDamaged.
func Malformed(format string, args ...any) error {
	return fmt.Errorf("%w %s", errMalformed, fmt.Sprintf(format, args...))
}
