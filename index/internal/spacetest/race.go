//go:build race

package spacetest

// race says that the race detector is on, which allocates where the program does not.
const race = true
