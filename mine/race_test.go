//go:build race

package mine

// treebanks is how many random treebanks each space is tested with: fewer under the race
// detector, which sees in these what it would see in all.
const treebanks = 25
