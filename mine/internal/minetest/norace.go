//go:build !race

package minetest

// Treebanks is how many random treebanks each space is tested with.
const Treebanks = 200

// Race says whether the race detector is on. With the detector, the program allocates more, and a sync.Pool
// drops some of its values.
const Race = false
