// Package disk keeps a database and a few files beside it in one directory. There is one commit point, one
// writer and any number of readers. Package store knows the keys and their meaning; package disk does not. No
// other package opens the database (Pebble). Package disk imports no other package of this program.
//
// Start with [OpenToRead] (database.go) and [Begin] (change.go). A [Dir] is a directory on a file system.
// store/README.md shows the files of the directory, the steps of a commit, and what readers lock.
//
// A file that FSTORE names is never written to, renamed or, unless it is `old`, deleted. A change makes new
// files, and then one rename. The next writer deletes the files of a killed run, since FSTORE does not name them. The names of
// these files show that they belong to the store (names.go). The lock on WRITER shows that no other writer is
// at work.
//
// A directory that has files, but neither FSTORE nor UNFINISHED, is refused (place.go). No file outside STORE
// is touched. If STORE is a symbolic link, the store is where the link points to, and the link itself stays.
package disk
