// Package expansion is the expansion index: an automaton over the stored codes
// of one space, which a matcher walks along a tree (index/README.md, "Matching").
//
// The codes form a trie whose edges are steps. A state is one 16-byte [Record],
// and the children of a state lie side by side, so that arriving at a state
// brings its feature id, its largest off and where its own children are in one
// cache line, and looking for a step touches the parent's block only. Up to 64
// children are sorted; more are an open-addressing table of the same records.
// Where none of them has children, a child is 4 bytes, or stands in its parent's
// record (leaf.go); the first steps are found by a directory (first.go).
//
// [Builder] makes it in one pass over ascending codes: a state's block is
// written when its last child is complete, so that memory is one path. Parts
// built for disjoint ranges are joined by [Join]. The file is checked by a
// checksum and opened by mmap ([Open]), or read whole where that does not work.
package expansion
