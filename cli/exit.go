package cli

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"fstore/cli/output"
	"fstore/cli/style"
	"fstore/cli/usage"
	"fstore/decode"
	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine"
	"fstore/mine/classes"
	"fstore/mine/contrast"
	"fstore/mine/query"
	"fstore/mine/rerank"
	"fstore/store"
)

// Exit codes (DESIGN.md §3).
const (
	exitDone        = 0
	exitFailure     = 1
	exitUsage       = 2
	exitInput       = 3
	exitStore       = 4
	exitInterrupted = 130
)

// storeErrors are the errors of package store that mean exit 4: it is damaged,
// locked or of another version.
var storeErrors = []error{store.ErrDamaged, store.ErrLocked, store.ErrVersion}

// usageErrors are the errors of the packages below that mean exit 2: what was asked
// for cannot be meant.
var usageErrors = []error{mine.ErrMixed, query.ErrWhichSpace, query.ErrNoSpace, query.ErrNoPatterns, decode.ErrUnexplained, decode.ErrNoWeights, rerank.ErrOneMachine}

// isUsage says whether err is wrong usage.
func isUsage(err error) bool {
	var (
		parse  *usageError
		used   *usage.Error
		option *decode.OptionError
		choice *mine.ChoiceError
		kind   *spaces.KindError
		text   *query.TextError
		label  *query.LabelError
		asked  *contrast.OptionError
		labels *classes.Error
		named  *query.SelectionError
		form   *decode.ExportError
	)
	return errors.As(err, &parse) || errors.As(err, &used) || errors.As(err, &option) ||
		errors.As(err, &choice) || errors.As(err, &kind) || errors.As(err, &text) ||
		errors.As(err, &label) || errors.As(err, &asked) || errors.As(err, &named) || errors.As(err, &labels) || errors.As(err, &form) || isOneOf(err, usageErrors)
}

func isOneOf(err error, list []error) bool {
	return slices.ContainsFunc(list, func(e error) bool { return errors.Is(err, e) })
}

// usageError is a command line that kong could not parse; command is what to ask
// help of.
type usageError struct {
	err     error
	command string
}

func (e *usageError) Error() string { return e.err.Error() + " (" + e.command + " --help)" }
func (e *usageError) Unwrap() error { return e.err }

// exitCode says how a run that ended with err exits.
func exitCode(err error) int {
	var input *index.InputError
	switch {
	case err == nil, errors.Is(err, output.ErrClosedPipe):
		return exitDone
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case isUsage(err):
		return exitUsage
	case isOneOf(err, storeErrors):
		return exitStore
	case errors.As(err, &input):
		return exitInput
	}
	return exitFailure
}

// messenger prints messages for people.
type messenger struct {
	w    io.Writer
	look style.Look
}

// say prints one line.
func (m messenger) say(text string) {
	_, _ = io.WriteString(m.w, m.look.Text("fstore:")+" "+oneLine(text)+"\n")
}

// report says what err is, where it is worth saying, and returns the exit code.
// Bad input is its own text, FILE:LINE: …, so that editors find the place.
func (m messenger) report(err error) int {
	code := exitCode(err)
	switch code {
	case exitDone:
	case exitInterrupted:
		m.say("interrupted")
	case exitInput:
		var e *index.InputError
		errors.As(err, &e)
		_, _ = io.WriteString(m.w, oneLine(e.Error())+"\n")
	default:
		m.say(err.Error())
	}
	return code
}

// oneLine keeps a message on its line.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
}
