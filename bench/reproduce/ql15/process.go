package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// cost is the time and memory that commands took.
type cost struct {
	User float64 // seconds of CPU
	Peak float64 // largest memory of a command, in MB; 0 if the system does not tell
}

// fstore runs a command of fstore, adds its cost to c, and returns its standard output and standard error.
func (c *cost) fstore(ctx context.Context, s *settings, args ...string) (out, log string, err error) {
	fmt.Fprintln(os.Stderr, "fstore", strings.Join(args, " "))
	cmd := exec.CommandContext(ctx, s.bin, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", "", fmt.Errorf("fstore %s: %w\n%s", args[0], err, stderr.String())
	}
	c.User += cmd.ProcessState.UserTime().Seconds()
	c.Peak = max(c.Peak, peak(cmd.ProcessState))
	fmt.Fprint(os.Stderr, stderr.String())
	return stdout.String(), stderr.String(), nil
}
