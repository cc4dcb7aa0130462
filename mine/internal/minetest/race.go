//go:build race

package minetest

// Treebanks is how many random treebanks each space is tested with. It is smaller under the race detector,
// which finds the same races in fewer treebanks.
const Treebanks = 25

// Race says that the race detector is on. With it, the program allocates more, and a sync.Pool drops some of
// its values.
const Race = true
