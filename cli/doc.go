// Package cli is the command line: it parses flags, calls the packages below, and
// prints. [Main] is all that the binary runs (cli/fstore) and all that tests need;
// what a command does, a Go program can do with the packages it calls.
//
// A command is one file with one struct in the folder of its family: its flags, its help with
// an example, and a Run method.
//
//	grammar.go   the commands and the global flags
//	stores trees look learn mining python guide   the commands, a family each
//	command      what they share: streams, flags, arguments, inputs, exit codes
//	output table where progress style number   how things are printed
//
// cli imports every package of the project but bench. Start reading at Main.
package cli
