package main

import (
	"os"
	"runtime/pprof"

	"fstore/cli"
)

func main() {
	f, _ := os.Create(os.Getenv("PROF"))
	pprof.StartCPUProfile(f)
	code := cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	pprof.StopCPUProfile()
	f.Close()
	os.Exit(code)
}
