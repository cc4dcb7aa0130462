// Package disk keeps a database and a few files beside it in one directory, with one commit point, for any
// number of readers and one writer. It does not know the keys or their meaning: package store does. No other
// package opens the database (Pebble). It imports no other package of this program.
//
// Start with [OpenToRead] (database.go) and [Begin] (change.go). A [Dir] is a directory on a file system.
// store/README.md shows the files of the directory, the steps of a commit, and what readers lock.
//
// A file that FSTORE names is never written to, renamed or deleted. A change makes new files, and then one
// rename. The next writer deletes the files of a killed run, as FSTORE does not name them. Their names show
// that they belong to the store (names.go), and the lock on WRITER shows that no other writer is at work.
//
// A directory that has files, but neither FSTORE nor UNFINISHED, is refused (place.go). A command touches
// nothing beside STORE. If STORE is a symbolic link, it is followed once, and the link stays.
package disk
