//go:build race

package minetest

// Treebanks is how many random treebanks each space is tested with: fewer under the race
// detector, which sees in these what it would see in all.
const Treebanks = 25
