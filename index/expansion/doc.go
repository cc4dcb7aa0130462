// Package expansion is the expansion index: an automaton over the stored codes of one space, which a matcher
// walks along a tree (index/README.md, "Matching").
//
// The codes form a trie whose edges are steps. A state is one 16-byte [Record], and the children of a state
// lie side by side in a block. So one cache line has all that a matcher needs of a state: its feature id, the
// largest off below it, and the place of its children. Looking for a step touches the parent's block only. A
// block of up to 64 children is sorted. A larger one is an open-addressing table of the same records. If no
// child has children of its own, a child takes 4 bytes, or stands in its parent's record (leaf.go). First
// steps are found by a directory (first.go).
//
// [Builder] makes an index in one pass over ascending codes. It writes a state's block when the last child is
// complete, so that memory holds one path. [Join] joins the parts built for disjoint ranges. [Open] checks
// the file's footer and maps it, or reads it whole if it cannot be mapped. A checksum covers the whole file.
package expansion
