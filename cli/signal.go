package cli

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"fstore/cli/command"
)

// interruptible returns a context that the first ^C, SIGTERM or SIGHUP cancels. The second signal ends the
// process immediately. SIGPIPE is ignored, so that a write to a closed pipe returns an error.
func interruptible(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	signal.Ignore(syscall.SIGPIPE)
	done := make(chan struct{})
	go watch(signals, done, cancel, os.Exit)
	return ctx, func() {
		signal.Stop(signals)
		close(done)
		cancel()
	}
}

// parsing is true while the command line is parsed. A signal then ends the process immediately, because the
// parser may wait for a FIFO.
var parsing atomic.Bool

func watch(signals <-chan os.Signal, done <-chan struct{}, cancel func(), exit func(int)) {
	for n := 0; ; n++ {
		select {
		case <-signals:
			if n > 0 || parsing.Load() {
				exit(command.ExitInterrupted)
				return
			}
			cancel()
		case <-done:
			return
		}
	}
}
