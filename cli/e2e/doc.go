// Package e2e tests that other programs can learn from files that fstore writes. It has only tests. They run
// if FSTORE_E2E is set (make e2e) and the other program is installed.
package e2e
