// Package disk keeps a database and a few files beside it in one directory, with one commit point,
// for any number of readers and one writer. It knows neither the keys nor what they mean: that is
// the business of package store. It alone opens the database (Pebble). It imports nothing of this
// program.
//
// Start with [OpenToRead] (database.go) and [Begin] (change.go). A [Dir] is where something lies.
// store/README.md shows the files of the directory, the steps of a commit, and what readers lock.
//
// No file that FSTORE names is ever written to, renamed or deleted. A change makes new files, and
// one rename. What a killed run leaves is named by nothing, and the next writer deletes it: by its
// name it is the store's (names.go), and WRITER says that nobody else is at work.
//
// A directory that has files, but neither FSTORE nor UNFINISHED, is refused (place.go). A command
// touches nothing beside STORE. A STORE that is a symbolic link is followed once, and the link stays.
package disk
