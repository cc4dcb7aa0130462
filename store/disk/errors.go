package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"syscall"

	"github.com/cockroachdb/pebble/v2"
)

// What can be wrong with a store as a whole. All but ErrNotFound come as an *Error.
var (
	// ErrNotStore: there is no store where one should be.
	ErrNotStore = errors.New("no fstore store")
	// ErrExists: there is a store where a new one should go.
	ErrExists = errors.New("there is a store already")
	// ErrNotEmpty: a new store should go where other files are.
	ErrNotEmpty = errors.New("directory has other files")
	// ErrLocked: another process writes, or reads what this one wants to replace.
	ErrLocked = errors.New("store is locked")
	// ErrDamaged: bytes are not what was written.
	ErrDamaged = errors.New("store is damaged")
	// ErrVersion: written by another version of the program.
	ErrVersion = errors.New("store is of another version")
	// ErrNotFound: a key is absent. It is no fault of the store.
	ErrNotFound = errors.New("not found")
)

// Error is one of the errors above and what led to it.
type Error struct {
	Dir    string // the store
	Kind   error  // ErrNotStore, …
	Detail string // what was found, what to do; may be empty
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

// fail makes an error of this kind.
func (d Dir) fail(kind error, detail string) error {
	return &Error{Dir: d.Path, Kind: kind, Detail: detail}
}

// Damaged makes an ErrDamaged, of a cause that may be nil.
func (d Dir) Damaged(detail string, err error) error {
	return &Error{Dir: d.Path, Kind: ErrDamaged, Detail: detail, Err: Plain(err)}
}

// Plain takes off an error of the database what carries its details, and has a text
// that says nothing.
func Plain(err error) error {
	if info := pebble.ExtractDataCorruptionInfo(err); info != nil {
		return info.Details
	}
	return err
}

// ReadError says of an error met while reading what it means for the store:
// corruption, a missing file and bytes that do not decode are damage, anything
// else (an I/O error, a cancelled context) stays what it is.
func (d Dir) ReadError(doing string, err error) error {
	var is *Error
	switch {
	case err == nil, errors.Is(err, ErrNotFound):
		return err
	case errors.As(err, &is):
		return err
	case pebble.IsCorruptionError(err), errors.Is(err, fs.ErrNotExist), errors.Is(err, errMalformed):
		return d.Damaged(doing, err)
	}
	return fmt.Errorf("%s: %s: %w", d.Path, doing, err)
}

// openError is ReadError for the opening of the database, which complains about its
// files in many ways: what is no error of the operating system is damage.
func (d Dir) openError(err error) error {
	var is *Error
	if errors.As(err, &is) {
		return err
	}
	var path *fs.PathError
	var sys *os.SyscallError
	if (errors.As(err, &path) || errors.As(err, &sys)) && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: database: %w", d.Path, err)
	}
	return d.Damaged("database", err)
}

// IsOfProcess says whether an error says nothing of a file, but that this process may not
// have it, or not have it now.
func IsOfProcess(err error) bool {
	all := []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, fs.ErrPermission}
	return slices.ContainsFunc(all, func(e error) bool { return errors.Is(err, e) })
}

// errMalformed marks values and keys that do not decode.
var errMalformed = errors.New("malformed")

// Malformed is the error of a value or a key that does not decode: ReadError takes it for damage.
func Malformed(format string, args ...any) error {
	return fmt.Errorf("%w %s", errMalformed, fmt.Sprintf(format, args...))
}
