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

// storeErrors are the errors of package store that mean exit code 4: the store is damaged, locked or of
// another version.
var storeErrors = []error{store.ErrDamaged, store.ErrLocked, store.ErrVersion}

// ErrEnded ends a command that normally runs until it is interrupted. Nothing is printed about it.
var ErrEnded = fmt.Errorf("ended: %w", context.Canceled)

// IsStore reports whether err says that a store is damaged, locked or of another version.
func IsStore(err error) bool { return exitCode(err) == exitStore }

// is reports whether err is, or wraps, an error of type E.
func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

func isOneOf(err error, list []error) bool {
	return slices.ContainsFunc(list, func(e error) bool { return errors.Is(err, e) })
}

// UsageError is an error of kong about a command line. Command is the command whose --help the message names.
type UsageError struct {
	Err     error
	Command string
}

func (e *UsageError) Error() string { return e.Err.Error() + " (" + e.Command + " --help)" }

func (e *UsageError) Unwrap() error { return e.Err }

func (e *UsageError) Is(target error) bool { return target == index.ErrUsage }

// exitCode returns the exit code of a run that ends with err.
func exitCode(err error) int {
	switch {
	case err == nil, errors.Is(err, output.ErrClosedPipe):
		return ExitDone
	case errors.Is(err, context.Canceled):
		return ExitInterrupted
	case errors.Is(err, index.ErrUsage):
		return exitUsage
	case isOneOf(err, storeErrors):
		return exitStore
	case is[*index.InputError](err):
		return exitInput
	}
	return ExitFailure
}

// Messenger prints messages for the user.
type Messenger struct {
	W    io.Writer
	Look style.Look
}

// Say prints a message on one line.
func (m Messenger) Say(text string) {
	_, _ = io.WriteString(m.W, m.Look.Text("fstore:")+" "+OneLine(text)+"\n")
}

// Report prints err, unless there is nothing to tell, and returns the exit code. An error in the input is
// printed as FILE:LINE: …, without the program's name, so that editors find the place.
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

// longestMessage is the largest length of a message in bytes, since a message can quote an argument of any
// length. OneLine cuts the middle out of a longer message.
const longestMessage = 4096

// OneLine makes a message fit on one line, and makes control characters in it visible.
func OneLine(text string) string {
	if len(text) > longestMessage {
		head, tail := text[:longestMessage/2], text[len(text)-longestMessage/4:]
		text = strings.ToValidUTF8(head, "") + " … " + strings.ToValidUTF8(tail, "")
	}
	return visible.Text(strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " "), "\t")
}
