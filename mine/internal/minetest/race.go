//go:build race

package minetest

// Treebanks is how many random treebanks each space is tested with: fewer under the race
// detector, which sees in these what it would see in all.
const Treebanks = 25

// Race says that the race detector is on. It allocates where the program does not, and drops some of what
// a sync.Pool keeps.
const Race = true
