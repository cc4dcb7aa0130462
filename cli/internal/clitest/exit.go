// Package clitest has what tests of several rooms of cli share.
package clitest

// FailWriter fails every write with Err.
type FailWriter struct{ Err error }

func (f FailWriter) Write([]byte) (int, error) { return 0, f.Err }
