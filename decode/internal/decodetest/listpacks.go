package decodetest

import (
	"testing"

	"fstore/index/spaces"
)

// Request is a space as build is asked for one.
func Request(t *testing.T, space string) spaces.Request {
	t.Helper()
	r, err := spaces.Parse(space)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
