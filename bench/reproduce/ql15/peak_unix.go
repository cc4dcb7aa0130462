//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peak is the most memory that a process had, in MB.
func peak(p *os.ProcessState) float64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	kb := float64(usage.Maxrss)
	if runtime.GOOS == "darwin" {
		kb /= 1024 // in bytes there
	}
	return kb / 1024
}
