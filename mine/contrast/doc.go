// Package contrast compares two corpora of a store, the samples of one label and those
// of another or all the rest: how often each fragment occurs in either, and by how much
// and how surely that differs (keyness).
//
// [New] reads the fragments once, to learn which of them stand for others and what the
// p-values are among; [Contrast.Each] reads them again and gives the rows, in key
// order. Memory does not grow with the fragments but for one bit each: it holds the heads
// of the samples, up to 17 bytes each, and what is computed for each different pair of
// frequencies, of which millions of fragments have some thousands. What else is sorted
// goes to files. With Options.Brief, up to some bytes, the fragments are kept instead.
//
// It imports index, store, mine/query and mine/association. Start reading at Options.
package contrast
