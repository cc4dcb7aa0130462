// Package cli is the command line: it parses flags, calls the packages below, and
// prints. [Main] is all that the binary runs (cli/fstore) and all that tests need;
// what a command does, a Go program can do with the packages it calls.
//
// A command is one file with one struct: its flags, its help with an example, and
// a Run method. What they share:
//
//	grammar.go   the commands and the global flags
//	env.go       what a command runs in: streams, files, progress, printing
//	flags.go     groups of flags that several commands have
//	args.go      @FILE, numbers with units, globs
//	input.go     treebanks and stores as the flags name them; what was left out
//	rows.go      which rows of a list are wanted, how they are sorted and shown
//	exit.go      errors to exit codes and messages, in one place
//	output/ table/ where/ progress/ style/ number/   how things are printed
//
// cli imports every package of the project but bench. Start reading at Main.
package cli
