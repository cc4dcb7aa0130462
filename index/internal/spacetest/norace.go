//go:build !race

package spacetest

const race = false
