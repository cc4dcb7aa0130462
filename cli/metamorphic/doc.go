// Package metamorphic tests the program as a whole: random command lines, one after
// another, over random small treebanks and options, with faults of the file system,
// crashes, interrupts and damage among them. After each the store is compared with a
// model in memory, in which fragments are found by brute force (package index/brute).
//
// A run is reproduced by its seed: go test ./cli/metamorphic -run Metamorphic -seed N -v
// prints its command lines.
//
// faults_test.go does the same to one store, command by command and fault by fault.
//
// Where to start reading: metamorphic_test.go has the test, world_test.go one run of it,
// model_test.go what a store should hold, compare_test.go how that is found out; the
// operations are in the files named after them.
package metamorphic
