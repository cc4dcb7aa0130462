// Package output has the outputs of commands, with the same rules for all commands (cli/README.md, "Output").
// [Pick] chooses the format from --format or the extension of -o FILE. [Open] returns the [Sink] to write to:
// standard output, or a file that appears complete or not at all.
//
// Of the project, it imports only index and visible. It writes through Pebble's vfs, so that tests can use
// file systems that fail. Start reading at Sink.
package output
