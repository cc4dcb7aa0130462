package store

import "fstore/store/disk"

// What can be wrong with a store as a whole. Every error of this package that a
// caller may want to tell apart is one of these by errors.Is; all but ErrNotFound
// come as an *Error.
var (
	// ErrNotStore: there is no store where one should be.
	ErrNotStore = disk.ErrNotStore
	// ErrExists: there is a store where a new one should go.
	ErrExists = disk.ErrExists
	// ErrNotEmpty: a new store should go where other files are.
	ErrNotEmpty = disk.ErrNotEmpty
	// ErrLocked: another process writes, or reads what this one wants to replace.
	ErrLocked = disk.ErrLocked
	// ErrDamaged: bytes are not what was written.
	ErrDamaged = disk.ErrDamaged
	// ErrVersion: written by another version of the program.
	ErrVersion = disk.ErrVersion
	// ErrNotFound: a key is absent. It is no fault of the store.
	ErrNotFound = disk.ErrNotFound
)

// Error is one of the errors above and what led to it.
type Error = disk.Error
