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

// storeErrors are the errors of package store that mean exit 4: it is damaged,
// locked or of another version.
var storeErrors = []error{store.ErrDamaged, store.ErrLocked, store.ErrVersion}

// ErrEnded ends a run that was interrupted and has nothing to say about it: to be interrupted is how
// it ends.
var ErrEnded = fmt.Errorf("ended: %w", context.Canceled)

// IsStore says whether err is about a store that is damaged, locked or of another version.
func IsStore(err error) bool { return exitCode(err) == exitStore }

// is says whether err is, or wraps, an error of a type.
func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

func isOneOf(err error, list []error) bool {
	return slices.ContainsFunc(list, func(e error) bool { return errors.Is(err, e) })
}

// UsageError is a command line that kong could not parse; command is what to ask
// help of.
type UsageError struct {
	Err     error
	Command string
}

func (e *UsageError) Error() string { return e.Err.Error() + " (" + e.Command + " --help)" }

func (e *UsageError) Unwrap() error { return e.Err }

func (e *UsageError) Is(target error) bool { return target == index.ErrUsage }

// exitCode says how a run that ended with err exits.
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

// Messenger prints messages for people.
type Messenger struct {
	W    io.Writer
	Look style.Look
}

// Say prints one line.
func (m Messenger) Say(text string) {
	_, _ = io.WriteString(m.W, m.Look.Text("fstore:")+" "+OneLine(text)+"\n")
}

// Report says what err is, where it is worth saying, and returns the exit code.
// Bad input is its own text, FILE:LINE: …, so that editors find the place.
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

// longestMessage is how many bytes of a message are printed: it can quote an argument of any
// length. Of a longer one the middle goes.
const longestMessage = 4096

// OneLine keeps a message on its line, and what it quotes from acting on a terminal.
func OneLine(text string) string {
	if len(text) > longestMessage {
		head, tail := text[:longestMessage/2], text[len(text)-longestMessage/4:]
		text = strings.ToValidUTF8(head, "") + " … " + strings.ToValidUTF8(tail, "")
	}
	return visible.Text(strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " "), "\t")
}
