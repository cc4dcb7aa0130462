// Package e2e trains other people's programs on what fstore writes. It holds tests
// only; they run where FSTORE_E2E is set (make e2e) and the program is there.
package e2e
