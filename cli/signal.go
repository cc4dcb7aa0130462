package cli

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"fstore/cli/command"
)

// interruptible returns a context that is cancelled by the first ^C, SIGTERM or SIGHUP, so that the run ends
// in order. The second signal ends the process at once. If SIGHUP is ignored, as with nohup, it stays
// ignored. SIGPIPE is ignored, so that a write to a closed pipe returns an error.
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

// parsing is true while the command line is parsed. A signal then ends the process at once, because nothing
// needs tidying up, and parsing can wait forever if @FILE is a FIFO.
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
