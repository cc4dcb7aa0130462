//go:build !race

package minetest

// Treebanks is how many random treebanks each space is tested with.
const Treebanks = 200

// Race says whether the race detector is on. It allocates where the program does not, and drops some of what
// a sync.Pool keeps.
const Race = false
