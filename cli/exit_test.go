package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"fstore/cli/internal/clitest"
)

// TestMainInProcess checks that Main uses only the streams that are its arguments.
func TestMainInProcess(t *testing.T) {
	var out, errs bytes.Buffer
	if code := Main([]string{"completion", "bash"}, strings.NewReader(""), &out, &errs); code != 0 || out.Len() == 0 || errs.Len() != 0 {
		t.Errorf("%d %q %q", code, out.String(), errs.String())
	}
	out.Reset()
	if code := Main([]string{"nosuch"}, strings.NewReader(""), &out, &errs); code != 2 || out.Len() != 0 || errs.Len() == 0 {
		t.Errorf("%d %q %q", code, out.String(), errs.String())
	}
	if code := Main([]string{"man"}, nil, clitest.FailWriter{Err: io.ErrClosedPipe}, &errs); code != 0 {
		t.Errorf("closed pipe: %d", code)
	}
}

// TestPanic checks that a defect is reported as a defect. Without this, the exit code of a panic would mean
// "wrong usage".
func TestPanic(t *testing.T) {
	var errs bytes.Buffer
	code := Main([]string{"man"}, nil, panicWriter{}, &errs)
	if code != 1 || !strings.HasPrefix(errs.String(), "fstore: internal error: a defect\n") || !strings.Contains(errs.String(), "goroutine") {
		t.Errorf("%d %q", code, errs.String())
	}
}

type panicWriter struct{}

func (panicWriter) Write([]byte) (int, error) { panic("a defect") }

func TestSignals(t *testing.T) {
	signals := make(chan os.Signal)
	done, exited := make(chan struct{}), make(chan int, 1)
	ctx, cancel := context.WithCancel(context.Background())
	finished := make(chan struct{})
	go func() {
		watch(signals, done, cancel, func(code int) { exited <- code })
		close(finished)
	}()
	signals <- os.Interrupt
	<-ctx.Done()
	select {
	case <-exited:
		t.Fatal("the first signal ended the process")
	default:
	}
	signals <- syscall.SIGTERM
	if code := <-exited; code != 130 {
		t.Errorf("exit code %d", code)
	}
	<-finished

	finished = make(chan struct{})
	go func() {
		watch(signals, done, cancel, func(int) { t.Error("exited") })
		close(finished)
	}()
	close(done)
	<-finished
}
