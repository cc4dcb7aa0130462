// Package metamorphic tests the whole program. It runs random command lines one after another, over small
// random treebanks and options, with file system faults, crashes, interrupts and damage in between. After
// each command the store is compared with a model in memory, which finds fragments by brute force (package
// index/brute).
//
// A seed repeats a run: go test ./cli/metamorphic -run Metamorphic -seed N -v prints its command lines.
// faults_test.go does the same to one store, with each command and each fault.
//
// Start reading: metamorphic_test.go has the test, world_test.go a run, model_test.go what a store should
// hold, compare_test.go how stores are compared. Each operation is in a file with its name.
package metamorphic
