// Package contrast compares two corpora of a store: the samples of one label, and those of another or all
// the rest. It says how often each fragment occurs in either, by how much and how surely that differs.
//
// [New] reads the fragments once: it finds those that stand for others, and counts the rows that p-values
// are adjusted to. [Contrast.Each] reads them again and gives the rows in key order. Memory holds a bit a
// fragment, up to 17 bytes a sample, and the measures of each pair of frequencies: millions of fragments
// have some thousand pairs. Sorting goes through files. With Options.Brief the fragments are kept in
// memory instead, if they fit.
//
// It imports index, store, mine/query and mine/association. Start reading at Options.
package contrast
