//go:build ignore

// Command freeports prints so many TCP ports of 127.0.0.1 that are free.
package main

import (
	"fmt"
	"net"
	"os"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		defer l.Close() // at the end: no port comes twice
		fmt.Println(l.Addr().(*net.TCPAddr).Port)
	}
}
