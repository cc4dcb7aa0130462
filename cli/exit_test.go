package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"fstore/cli/output"
	"fstore/cli/usage"
	"fstore/decode"
	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine"
	"fstore/mine/query"
)

func TestExitCodes(t *testing.T) {
	input := &index.InputError{File: "a.mrg", Line: 3, Sentence: 2, Msg: "expected )"}
	pipe := output.Stdout(failWriter{syscall.EPIPE})
	fmt.Fprint(pipe, "x")
	for _, c := range []struct {
		err  error
		code int
		text string
	}{
		{nil, 0, ""},
		{pipe.Commit(), 0, ""},
		{errors.New("two\nlines"), 1, "fstore: two lines\n"},
		{fmt.Errorf("write a: %w", syscall.ENOSPC), 1, "fstore: write a: no space left on device\n"},
		{usage.Errorf("unknown column %q", "x"), 2, "fstore: unknown column \"x\"\n"},
		{fmt.Errorf("query: %w", usage.Errorf("no")), 2, "fstore: query: no\n"},
		{&usageError{errors.New("unknown flag --x"), "fstore build"}, 2, "fstore: unknown flag --x (fstore build --help)\n"},
		{&decode.OptionError{Option: "label-from", Msg: "no"}, 2, "fstore: --label-from: no\n"},
		{fmt.Errorf("build: %w", mine.ErrMixed), 2, "fstore: build: " + mine.ErrMixed.Error() + "\n"},
		{&mine.ChoiceError{Msg: "no"}, 2, "fstore: no\n"},
		{&spaces.KindError{Space: "stk", Reads: []index.Kind{index.Constituency}, Has: index.Dependency}, 2, "fstore: space stk reads constituency trees, and the input has dependency trees\n"},
		{query.ErrWhichSpace, 2, "fstore: which space?\n"},
		{&query.TextError{Text: "(", Err: errors.New("no")}, 2, "fstore: fragment \"(\": no\n"},
		{&query.AbsentError{Text: "(A (B))", Why: "x"}, 1, "fstore: (A (B)) is not stored: x\n"},
		{input, 3, "a.mrg:3: sentence 2: expected )\n"},
		{fmt.Errorf("build: %w", input), 3, "a.mrg:3: sentence 2: expected )\n"},
		{&index.InputError{File: "a.mrg", Msg: "no trees"}, 3, "a.mrg: no trees\n"},
		{context.Canceled, 130, "fstore: interrupted\n"},
		{fmt.Errorf("build: %w", context.Canceled), 130, "fstore: interrupted\n"},
	} {
		var b bytes.Buffer
		if code := (messenger{w: &b}).report(c.err); code != c.code || b.String() != c.text {
			t.Errorf("%v: %d %q, want %d %q", c.err, code, b.String(), c.code, c.text)
		}
	}
	for _, e := range storeErrors {
		if code := exitCode(fmt.Errorf("open: %w", e)); code != 4 {
			t.Errorf("%v: %d", e, code)
		}
	}
}

type failWriter struct{ err error }

func (f failWriter) Write([]byte) (int, error) { return 0, f.err }

// TestMainInProcess: Main touches nothing but the streams it is given.
func TestMainInProcess(t *testing.T) {
	var out, errs bytes.Buffer
	if code := Main([]string{"completion", "bash"}, strings.NewReader(""), &out, &errs); code != 0 || out.Len() == 0 || errs.Len() != 0 {
		t.Errorf("%d %q %q", code, out.String(), errs.String())
	}
	out.Reset()
	if code := Main([]string{"nosuch"}, strings.NewReader(""), &out, &errs); code != 2 || out.Len() != 0 || errs.Len() == 0 {
		t.Errorf("%d %q %q", code, out.String(), errs.String())
	}
	if code := Main([]string{"man"}, nil, failWriter{io.ErrClosedPipe}, &errs); code != 0 {
		t.Errorf("closed pipe: %d", code)
	}
}

// TestPanic: a defect says so, and is no "wrong usage", which a bare panic's exit
// code would claim.
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
