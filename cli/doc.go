// Package cli is the command line: it parses flags, calls other packages, and prints. The binary (cli/fstore)
// calls only [Main]. A Go program can do all that a command does by calling the same packages.
//
// A command is a file with a struct, in the directory of its family. The struct has the flags, the help with
// an example, and a method Run.
//
//	grammar.go   the commands and the global flags
//	stores trees look learn mining cluster python guide serve   the commands, a family each
//	command      what they share: streams, flags, arguments, inputs, exit codes
//	output table where progress style number   how things are printed
//
// cli imports every package of the project but bench. Start reading at Main.
package cli
