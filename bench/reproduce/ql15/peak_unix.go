//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peak returns the most memory that a process has used, in MB.
func peak(p *os.ProcessState) float64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	kb := float64(usage.Maxrss)
	if runtime.GOOS == "darwin" {
		kb /= 1024 // this system counts in bytes
	}
	return kb / 1024
}
