package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"syscall"
	"testing"

	"fstore/cli/internal/clitest"
	"fstore/cli/output"
	"fstore/decode/read"
	"fstore/index"
	"fstore/mine/query"
)

func TestExitCodes(t *testing.T) {
	input := &index.InputError{File: "a.mrg", Line: 3, Sentence: 2, Msg: "expected )"}
	pipe := output.Stdout(clitest.FailWriter{Err: syscall.EPIPE})
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
		{index.Usagef("unknown column %q", "x"), 2, "fstore: unknown column \"x\"\n"},
		{fmt.Errorf("query: %w", index.Usagef("no")), 2, "fstore: query: no\n"},
		{&UsageError{errors.New("unknown flag --x"), "fstore build"}, 2, "fstore: unknown flag --x (fstore build --help)\n"},
		{&read.OptionError{Option: "label-from", Msg: "no"}, 2, "fstore: --label-from: no\n"},
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
		if code := (Messenger{W: &b}).Report(c.err); code != c.code || b.String() != c.text {
			t.Errorf("%v: %d %q, want %d %q", c.err, code, b.String(), c.code, c.text)
		}
	}
	for _, e := range storeErrors {
		if code := exitCode(fmt.Errorf("open: %w", e)); code != 4 {
			t.Errorf("%v: %d", e, code)
		}
	}
}
