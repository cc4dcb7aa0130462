// Package disk keeps a database and a few files beside it in one directory, with one commit point,
// for any number of readers and one writer. It knows neither the keys nor what they mean: that is
// package store's business. It alone opens the database (Pebble). It imports nothing of this
// program.
//
// Start with [OpenToRead] (database.go) and [Begin] (change.go). A [Dir] is where something lies.
//
// # The directory
//
//	STORE/FSTORE        the commit point: the format, the number of the state, and the name, size
//	                    and xxh3 of every file of the state (seal.go)
//	STORE/UNFINISHED    a new store is being made, or a run that made one was killed
//	STORE/LOCK          each reader shares one byte of it (lock.go)
//	STORE/WRITER        the writer has it
//	STORE/*.sst MANIFEST-* OPTIONS-* *.log marker.*   Pebble's
//	STORE/expansion-N-I expansion indexes that the change N made
//	STORE/META-N        a copy of meta as the change N committed it
//	STORE/load/         of the writer: tables before they are ingested, files and states
//	                    of a run (package runfile)
//
// Files of other names are nobody's business: not sealed, not deleted, reported as
// harmless (names.go). A directory that has files, but neither FSTORE nor
// UNFINISHED, is refused (place.go). A command touches nothing beside STORE; a STORE that is
// a symbolic link is followed once, and the link stays.
//
// # One commit point
//
// Every change, of whatever kind, is made of new files, and of one rename:
//
//	1  the files, with numbers that no file in STORE had before (view.go)    written, synced
//	2  their names                                                          STORE synced
//	3  FSTORE.tmp, which names the files of the new state                   written, synced
//	4  FSTORE.tmp becomes FSTORE                                            renamed, STORE synced
//	5  files that no state needs any more                                   deleted (sweep.go)
//
// Before 4 the store is the old one, after it the new one, whatever ends the run. No file that
// FSTORE names is written to, renamed or deleted. What a killed run leaves is named by nothing,
// and the next writer deletes it: by its name it is the store's, and WRITER says that nobody else
// is at work.
//
// A new store is made in the same way, beside the old one if there is one. UNFINISHED says so,
// from before the first file until after the rename, and from which number on the files are the
// new store's. So a run with [Options].Resume finds what an earlier one has left. A run that
// is given up deletes its files, then UNFINISHED, then STORE if the build made it.
//
// # Readers
//
// A reader goes on with the state that it opened. It reads FSTORE, shares the byte of LOCK at the
// number of that state, and reads FSTORE again: if it is the same, the state is safe, else it
// begins again. A file of an older state stands in FSTORE as old, with the last state that had it.
// A writer deletes it as soon as nobody shares the bytes from where it was made to that state: at
// its end, or the next one does. It never waits. Where a file cannot be replaced while it is read
// (Windows), it tries step 4 for five seconds; FSTORE is open for moments only.
package disk
