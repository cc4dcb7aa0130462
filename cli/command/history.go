package command

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"fstore/decode/read"
	"fstore/mine/builder"
	"fstore/mine/grow"
	"fstore/store"
)

// TooMany adds to ErrTooMany the flags that limit the number of fragments, limitFlag first. Other errors stay
// unchanged.
func TooMany(err error, limitFlag string) error {
	if errors.Is(err, grow.ErrTooMany) {
		return fmt.Errorf("%w (%s, --max-order, --max-fragments)", err, limitFlag)
	}
	return err
}

// Event returns the entry for this run in the history of the store.
func (e *Env) Event(read []read.Input) store.Event {
	event := store.Event{Command: CommandLine(e.Args), Version: ProgramVersion(), Time: time.Now().Unix()}
	for _, i := range read {
		event.Inputs = append(event.Inputs, store.Input{Name: i.Path, Size: i.Bytes, Hash: i.Hash})
	}
	return event
}

// CommandLine returns the command line, quoted for the shell.
func CommandLine(args []string) string {
	line := "fstore"
	for _, a := range args {
		if a == "" || strings.ContainsFunc(a, needsQuotes) {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		line += " " + a
	}
	return line
}

func needsQuotes(r rune) bool {
	return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+:,./@%", r)
}

// version is set by the linker (see Makefile).
var version string

// ProgramVersion returns the version that the linker has set, else the version of the module.
func ProgramVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// Change changes a store in one step. The function `f` writes to the store and returns the entry for its
// history. If f fails or ctx ends, the store stays as it was. Otherwise Change prints event.Decided.
func (e *Env) Change(ctx context.Context, dir string, f func(*store.Writer) (store.Event, error)) error {
	decided, err := e.Commit(ctx, dir, false, f)
	if err == nil {
		e.Note("%s", decided)
	}
	return err
}

// Commit is like Change, but returns the event's Decided and prints nothing. For resume see
// store.WriteOptions.Resume.
func (e *Env) Commit(ctx context.Context, dir string, resume bool, f func(*store.Writer) (store.Event, error)) (decided string, err error) {
	w, err := store.Begin(dir, store.WriteOptions{Options: store.Options{FS: e.FS}, Mode: store.Append, Resume: resume})
	if err != nil {
		return "", err
	}
	event, err := f(w)
	if err == nil {
		err = ctx.Err() // a short f perhaps has not checked ctx
	}
	if err != nil {
		return "", errors.Join(err, w.Abort())
	}
	w.Meta().History = append(w.Meta().History, event)
	return event.Decided, w.CommitContext(ctx)
}

// Rebuild returns the options with which package builder rebuilds a store.
func (e *Env) Rebuild(workers int, memory ByteSize) builder.RebuildOptions {
	return builder.RebuildOptions{
		Options: store.Options{FS: e.FS}, Workers: workers, Memory: int64(memory), Progress: e.Progress, Event: e.Event(nil),
	}
}
