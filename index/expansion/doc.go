// Package expansion is the expansion index: an automaton over the stored codes of one space, which a matcher
// walks along a tree (index/README.md, "Matching").
//
// The codes form a trie whose edges are steps. A state is one 16-byte [Record], which has all that a matcher
// reads of the state. The children of a state are one block. A block of at most 64 children is sorted, and a
// larger block is an open-addressing hash table. Children take less space if none of them has children
// (leaf.go). A directory finds the first steps (first.go).
//
// [Builder] makes an index in one pass over ascending codes. [Join] joins the parts built for disjoint
// ranges. [Open] maps the file, or reads the whole file if it cannot be mapped. A checksum covers the whole
// file.
package expansion
