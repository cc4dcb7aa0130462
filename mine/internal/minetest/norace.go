//go:build !race

package minetest

// Treebanks is how many random treebanks each space is tested with.
const Treebanks = 200

// Race says whether the race detector is on.
const Race = false
