//go:build race

package minetest

// Treebanks is the number of random treebanks for each space. With the race detector, fewer treebanks find
// the same races.
const Treebanks = 25

// Race says whether the race detector is on. The detector makes the program allocate more, and a sync.Pool
// drop values.
const Race = true
