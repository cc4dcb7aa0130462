package command

import (
	"context"
	"errors"

	"fstore/mine/builder"
	"fstore/store"
)

// Change changes a store: what f has done becomes part of it in one step, with the entry
// of the history that f returns, whose last line is printed; not where ctx is done.
func (e *Env) Change(ctx context.Context, dir string, f func(*store.Writer) (store.Event, error)) error {
	decided, err := e.Commit(ctx, dir, false, f)
	if err == nil {
		e.Note("%s", decided)
	}
	return err
}

// Commit is change, but returns the line; resume is store.WriteOptions.Resume.
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
