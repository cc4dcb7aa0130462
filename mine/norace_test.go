//go:build !race

package mine

// treebanks is how many random treebanks each space is tested with.
const treebanks = 200
