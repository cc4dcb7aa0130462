// Package store keeps a treebank, its fragments and what was learned from them in one directory: a Pebble
// database and a few files beside it. It knows keys and generations. Package index and its spaces know what a
// fragment means.
//
// # Reading
//
//	s, err := store.Open(dir, store.Options{})        // any number of processes, also while a writer runs
//	m := s.Meta()                                     // counts, spaces, history
//	syms, err := s.Symbols()                          // all tables, loaded once
//	err = s.Samples(0, m.Samples, func(id uint32, t *index.Tree) error { … })
//	it, err := s.Iter(space, lo, hi)                  // fragments in key order
//	for ok := it.SeekGE(lo); ok; ok = it.Next() { it.Key(); it.Value() }
//	v, err := s.Get(space, code)                      // ErrNotFound if it is not stored
//	id, err := s.Rank(space, code)                    // feature id, from 1
//	code, err := s.ByRank(space, id)
//
// A space is named by its number: Meta().Spaces[i].Number == i. The value of a fragment is a posting list,
// see package store/posting. Meta says what the store holds. [Store.Check] says whether the bytes are as
// written.
//
// # Writing
//
//	w, err := store.Begin(dir, store.WriteOptions{Mode: store.Create})
//	defer w.Abort()                                   // does nothing after Commit
//	sw, err := w.Samples()                            // first pass
//	id, err := sw.Add(t)                              // ids in t refer to w.Symbols()
//	err = sw.Close()                                  // now samples and symbols can be read
//	err = w.Store().Samples(from, to, f)              // second pass, from any goroutine
//	n := w.SetSpace(store.SpaceInfo{ID: …})           // a new generation of a space
//	l, err := w.Fragments(n)                          // one for each goroutine; key ranges must not overlap
//	err = l.Put(code, value)                          // codes must ascend
//	err = l.Close()
//	features, err := w.FinishFragments(n)             // after all loaders; then w.Store().Iter reads them
//	f, err := w.CreateExpansion()                     // a file beside the database
//	w.Meta().Spaces[n].Expansion = f.Name()           // Meta is what Commit will write
//	err = w.Commit()
//
// With [Overwrite], [Writer.Old] reads the store that is replaced. If that store is damaged, [Writer.Salvage]
// reads those parts that can still be read.
//
// # Rooms
//
// [fstore/store/disk] manages the directory: its files, locks, database, and one commit point.
// [fstore/store/runfile] has the temporary files of a run, and the state that a resumed run begins with.
// [fstore/store/posting] encodes the posting lists.
//
// README.md shows the keys and the files. Keys are built in keys.go. Values are encoded in the file of their
// kind.
//
// Symbols are stored from id to string only. While index.Symbols loads them, it fills a hash table for the
// other direction. A reader needs all strings anyway, to decode trees.
package store
