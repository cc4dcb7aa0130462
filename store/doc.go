// Package store keeps a treebank, its fragments and what was learned from them
// in one directory: a Pebble database and a few files beside it. It knows bytes,
// keys and generations; what a fragment means is the business of package index
// and its spaces. It imports index only.
//
// # Reading
//
//	s, err := store.Open(dir, store.Options{})        // any number of processes, beside a writer
//	m := s.Meta()                                     // counts, spaces, history
//	syms, err := s.Symbols()                          // all tables, loaded once
//	err = s.Samples(0, m.Samples, func(id uint32, t *index.Tree) error { … })
//	it, err := s.Iter(space, lo, hi)                  // fragments in key order
//	for ok := it.SeekGE(lo); ok; ok = it.Next() { it.Key(); it.Value() }
//	v, err := s.Get(space, code)                      // ErrNotFound where absent
//	id, err := s.Rank(space, code)                    // feature id, from 1
//	code, err := s.ByRank(space, id)
//
// A space is named by its number, Meta().Spaces[i].Number == i. A fragment's
// value is a posting list: package store/posting. Meta says what is there, and
// [Store.Check] whether it is as it was written.
//
// # Writing
//
//	w, err := store.Begin(dir, store.WriteOptions{Mode: store.Create})
//	defer w.Abort()                                   // nothing after Commit
//	sw, err := w.Samples()                            // pass one
//	id, err := sw.Add(t)                              // t refers to w.Symbols()
//	err = sw.Close()                                  // samples and symbols can be read back
//	err = w.Store().Samples(from, to, f)              // pass two, any goroutine
//	n := w.SetSpace(store.SpaceInfo{ID: …})           // a new generation of a space
//	l, err := w.Fragments(n)                          // one a goroutine, disjoint key ranges
//	err = l.Put(code, value)                          // ascending
//	err = l.Close()
//	features, err := w.FinishFragments(n)             // after all loaders; w.Store().Iter reads them
//	f, err := w.CreateExpansion()                     // a file beside the database
//	w.Meta().Spaces[n].Expansion = f.Name()           // Meta is what Commit will write
//	err = w.Commit()
//
// With [Overwrite], [Writer.Old] reads the store that is replaced, and
// [Writer.Salvage] what is left of it where it is damaged.
//
// # The directory
//
//	STORE/FSTORE        the commit point: the format, the number of the state, and the name, size
//	                    and xxh3 of every file of the state (seal.go)
//	STORE/UNFINISHED    a new store is being made, or a run that made one was killed
//	STORE/LOCK          each reader shares one byte of it (lock.go)
//	STORE/WRITER        the writer has it
//	STORE/*.sst MANIFEST-* OPTIONS-* *.log marker.*   Pebble's
//	STORE/expansion-N-I expansion indexes that the run N made
//	STORE/META-N        a copy of meta as the run N committed it (metacopy.go)
//	STORE/load/         of the writer: tables before they are ingested, files and states
//	                    of a run (run.go)
//
// Files of other names are nobody's business: not sealed, not deleted, reported as
// harmless by [Store.Check] (names.go). A directory that has files, but neither FSTORE nor
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
//	5  files that no state needs any more                                   deleted (sweep)
//
// Before 4 the store is the old one, after it the new one, whatever ends the run. No file that
// FSTORE names is written to, renamed or deleted. What a killed run leaves is named by nothing,
// and the next writer deletes it: by its name it is the store's, and WRITER says that nobody else
// is at work.
//
// A new store is made in the same way, beside the old one if there is one. UNFINISHED says so,
// from before the first file until after the rename, and from which number on the files are the
// new store's. So a run with [WriteOptions].Resume finds what an earlier one has left. A run that
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
//
// # Keys
//
// One byte of kind, then numbers in the order-preserving form of
// [index.AppendOrdered]. Kinds that a later run rewrites carry a generation (the
// number of the run that wrote them: the keys before go in the same commit) and a
// number (of the space, selection or model; 0 for labels). Keys are in keys.go, values
// where their kind is.
//
//	meta       kind                               msgpack of Meta
//	symbol     kind class first-id                a block of strings, ids ascending
//	sample     kind id                            msgpack array, the tree's bytes last
//	label      kind generation 0 label            roaring bitmap of sample ids
//	fragment   kind generation space code         posting list
//	rank       kind generation space feature-id   the code of that feature
//	selection  kind generation number rank        one entry, see Entry
//	model      kind generation number part        bytes
//
// Symbols are stored from id to string only. The other direction is a hash table
// that index.Symbols fills while it loads (a million strings in about 0.3 s),
// because a reader needs all strings anyway to decode trees: storing both
// directions would double the bytes and save nothing.
package store
