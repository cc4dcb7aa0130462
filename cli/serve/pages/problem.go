package pages

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"fstore/cli/command"
	"fstore/cli/serve/ask"
	"fstore/index/pattern"
	"fstore/mine/query"
	"fstore/store"
)

// Problem is an error as the page shows it.
type Problem struct {
	Title, Text string
	Input       string // the text with the error, "" if there is none
	Caret       string // spaces up to the error in Input
	status      int    // HTTP status, if the whole page fails and not only one of its tables
}

// explain describes an error for the page. The context is that of the request.
func explain(ctx context.Context, err error) *Problem {
	p := &Problem{Title: "That does not work", Text: command.OneLine(err.Error()), status: http.StatusBadRequest}
	var wrong *pattern.Error
	var absent *query.AbsentError
	switch {
	case errors.As(err, &wrong):
		p.Title = "The pattern cannot be read"
		p.Text = wrong.Msg
		p.Input = wrong.Text
		p.Caret = strings.Repeat(" ", len([]rune(wrong.Text[:min(wrong.At, len(wrong.Text))])))
		if len(p.Input) > 500 {
			p.Input, p.Caret = "", ""
		}
	case errors.As(err, &absent), errors.Is(err, store.ErrNotFound):
		p.Title, p.status = "Nothing is there", http.StatusNotFound
	case errors.Is(err, ask.ErrBusy):
		p.Title, p.status = "Too busy", http.StatusServiceUnavailable
	case errors.Is(err, ask.ErrTime):
		p.Title, p.status = "Time is up", http.StatusServiceUnavailable
		p.Text += ": in a terminal the command has no limit"
	case errors.Is(err, ask.ErrLong):
		p.Title = "Too long"
	case command.IsStore(err):
		p.Title, p.status = "The store cannot be read", http.StatusInternalServerError
	case ctx.Err() != nil:
		p.Title, p.status = "Ended", http.StatusServiceUnavailable
	}
	p.Text = strings.TrimPrefix(p.Text, "fstore: ")
	if i := strings.LastIndex(p.Text, " (fstore "); i >= 0 && strings.HasSuffix(p.Text, "--help)") {
		p.Text = p.Text[:i]
	}
	return p
}
