// Command fstore finds the constructions that tell corpora or classes apart, and turns parse trees into
// sparse vectors whose features you can read. See fstore --help.
package main

import (
	"os"

	"fstore/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
