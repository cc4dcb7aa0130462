//go:build race

package spacetest

// race says that the race detector is on. The detector allocates memory where the program itself does not.
const race = true
