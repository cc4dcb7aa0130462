// Package output is where everything goes that a command prints: one rule for
// every command (cli/README.md, "Output"). [Pick] finds the format from --format or from the
// extension of -o FILE; [Open] returns the [Sink] to write to, which is standard
// output or a file that appears whole or not at all.
//
// It imports only Pebble's vfs and packages usage and visible, so that tests can inject
// failing file systems. Start reading at Sink.
package output
