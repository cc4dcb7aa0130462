package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"fstore/cli/output"
	"fstore/cli/style"
	"fstore/cli/visible"
	"fstore/index"
	"fstore/store"
)

// Exit codes (cli/README.md, "Exit codes").
const (
	ExitDone        = 0
	ExitFailure     = 1
	exitUsage       = 2
	exitInput       = 3
	exitStore       = 4
	ExitInterrupted = 130
)

// storeErrors are the errors of package store that mean exit code 4.
var storeErrors = []error{store.ErrDamaged, store.ErrLocked, store.ErrVersion}

// ErrEnded is the error of a command that runs until it is interrupted. Report prints no message for this
// error.
var ErrEnded = fmt.Errorf("ended: %w", context.Canceled)

// IsStore reports whether err says that a store is damaged, locked or of another version.
func IsStore(err error) bool { return exitCode(err) == exitStore }

// wraps reports whether err is an E, or wraps one.
func wraps[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// UsageError is an error of kong about a command line. The message refers the user to the --help of Command.
type UsageError struct {
	Err     error
	Command string
}

func (e *UsageError) Error() string { return e.Err.Error() + " (" + e.Command + " --help)" }

func (e *UsageError) Unwrap() error { return e.Err }

func (e *UsageError) Is(target error) bool { return target == index.ErrUsage }

func exitCode(err error) int {
	switch {
	case err == nil, errors.Is(err, output.ErrClosedPipe):
		return ExitDone
	case errors.Is(err, context.Canceled):
		return ExitInterrupted
	case errors.Is(err, index.ErrUsage):
		return exitUsage
	case slices.ContainsFunc(storeErrors, func(e error) bool { return errors.Is(err, e) }):
		return exitStore
	case wraps[*index.InputError](err):
		return exitInput
	}
	return ExitFailure
}

// Messenger prints messages for the user to W.
type Messenger struct {
	W    io.Writer
	Look style.Look
}

// Say prints a message on one line, after the name of the program.
func (m Messenger) Say(text string) {
	_, _ = io.WriteString(m.W, m.Look.Text("fstore:")+" "+OneLine(text)+"\n")
}

// Report prints a message for err, if the user needs one, and returns the exit code. A message about the
// input begins with FILE:LINE, so that editors find the place.
func (m Messenger) Report(err error) int {
	code := exitCode(err)
	switch code {
	case ExitDone:
	case ExitInterrupted:
		if !errors.Is(err, ErrEnded) {
			m.Say("interrupted")
		}
	case exitInput:
		e, _ := errors.AsType[*index.InputError](err)
		_, _ = io.WriteString(m.W, OneLine(e.Error())+"\n")
	default:
		m.Say(err.Error())
	}
	return code
}

// longestMessage is the largest length of a message in bytes. OneLine cuts the middle out of longer messages.
const longestMessage = 4096

// OneLine replaces line breaks by spaces, makes control characters visible, and shortens long messages.
func OneLine(text string) string {
	if len(text) > longestMessage {
		head, tail := text[:longestMessage/2], text[len(text)-longestMessage/4:]
		text = strings.ToValidUTF8(head, "") + " … " + strings.ToValidUTF8(tail, "")
	}
	return visible.Text(strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " "), "\t")
}
