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

// TooMany names the flags that an ErrTooMany is about; least is that of the least frequent ones.
func TooMany(err error, least string) error {
	if errors.Is(err, grow.ErrTooMany) {
		return fmt.Errorf("%w (%s, --max-order, --max-fragments)", err, least)
	}
	return err
}

// Event is a run's entry in the history of its store.
func (e *Env) Event(read []read.Input) store.Event {
	event := store.Event{Command: CommandLine(e.Args), Version: ProgramVersion(), Time: time.Now().Unix()}
	for _, i := range read {
		event.Inputs = append(event.Inputs, store.Input{Name: i.Path, Size: i.Bytes, Hash: i.Hash})
	}
	return event
}

// CommandLine writes arguments as a shell reads them.
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

// version is stamped by the linker (see Makefile).
var version string

// ProgramVersion is the stamp, else what the go command knows of the module.
func ProgramVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// Change changes a store: what f has done becomes part of it in one step, with the entry
// of the history that f returns, whose last line is printed; not where ctx is done.
func (e *Env) Change(ctx context.Context, dir string, f func(*store.Writer) (store.Event, error)) error {
	decided, err := e.Commit(ctx, dir, false, f)
	if err == nil {
		e.Note("%s", decided)
	}
	return err
}

// Commit is Change, but it returns the line instead of printing it; resume is store.WriteOptions.Resume.
func (e *Env) Commit(ctx context.Context, dir string, resume bool, f func(*store.Writer) (store.Event, error)) (decided string, err error) {
	w, err := store.Begin(dir, store.WriteOptions{Options: store.Options{FS: e.FS}, Mode: store.Append, Resume: resume})
	if err != nil {
		return "", err
	}
	event, err := f(w)
	if err == nil {
		err = ctx.Err() // seen late, where little was done
	}
	if err != nil {
		return "", errors.Join(err, w.Abort())
	}
	w.Meta().History = append(w.Meta().History, event)
	return event.Decided, w.CommitContext(ctx)
}

// Rebuild are the options of a run that makes a store anew.
func (e *Env) Rebuild(workers int, memory ByteSize) builder.RebuildOptions {
	return builder.RebuildOptions{
		Options: store.Options{FS: e.FS}, Workers: workers, Memory: int64(memory), Progress: e.Progress, Event: e.Event(nil),
	}
}
