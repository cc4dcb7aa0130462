// Package contrast compares two corpora of a store: the samples of one label with those of another label, or
// with all other samples. It says how often each fragment occurs in both, how much the frequencies differ,
// and how certain the difference is.
//
// [New] reads the fragments once. It chooses the fragments that get a row, and counts the rows, because
// p-values are adjusted to their number. [Contrast.Each] reads the fragments again and gives the rows in key
// order. With Options.Brief, the fragments stay in memory instead, if they fit.
//
// Memory holds one bit per fragment and up to 17 bytes per sample. It also holds the measures of each pair of
// frequencies: millions of fragments have a few thousand different pairs. Sorting uses files.
//
// The package imports index, store, mine/query and mine/association. Start reading at Options.
package contrast
