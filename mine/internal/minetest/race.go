//go:build race

package minetest

// Treebanks is the number of random treebanks for each space. With the race detector, fewer treebanks find
// the same races.
const Treebanks = 25

// Race says whether the race detector is on. With it, the program allocates more, and a sync.Pool drops
// values.
const Race = true
