package command

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"fstore/decode/read"
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
