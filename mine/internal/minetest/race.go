//go:build race

package minetest

// Treebanks is how many random treebanks each space is tested with. With the race detector, fewer treebanks
// find the same races.
const Treebanks = 25

// Race says whether the race detector is on. With the detector, the program allocates more, and a sync.Pool
// drops some of its values.
const Race = true
