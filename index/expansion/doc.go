// Package expansion is the expansion index: an automaton over the stored codes of one space, which a matcher
// walks along a tree (index/README.md, "Matching").
//
// The codes form a trie whose edges are steps. A state is one 16-byte [Record], and the children of a state
// are next to one another in a block. So one cache line has all that a matcher reads of a state: its feature
// id, the largest off below it, and where its children are. To find a child, a matcher reads only the
// parent's block. A block of up to 64 children is sorted. A larger block is an open-addressing hash table. If
// no child has children, a child takes 4 bytes, or is part of its parent's record (leaf.go). A directory
// finds the first steps (first.go).
//
// [Builder] makes an index in one pass over ascending codes. It writes a state's block after the last child,
// so that only one path is in memory. [Join] joins the parts built for disjoint ranges. [Open] maps the file,
// or reads the whole file if it cannot be mapped. A checksum covers the whole file.
package expansion
