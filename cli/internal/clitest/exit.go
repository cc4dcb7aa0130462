// Package clitest has helpers for the tests of several packages of cli.
package clitest

// FailWriter fails every write with Err.
type FailWriter struct{ Err error }

func (f FailWriter) Write([]byte) (int, error) { return 0, f.Err }
