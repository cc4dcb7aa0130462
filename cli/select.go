package cli

import (
	"context"
	"errors"

	"fstore/mine"
	"fstore/mine/query"
	"fstore/store"
)

// selectCommand makes a selection of a selection.
type selectCommand struct {
	Store string `arg:"" predictor:"file" help:"The store."`

	From      string `required:"" placeholder:"SEL" help:"The selection to choose from."`
	Name      string `required:"" placeholder:"NAME" help:"What the new one is called."`
	Where     string `required:"" placeholder:"EXPR" help:"Take the fragments for which EXPR holds: an expression over the columns that query --selection prints."`
	Overwrite bool   `help:"Replace a selection of that name."`
}

// Help is kong's hook.
func (*selectCommand) Help() string {
	return `Makes a selection of another: its fragments keep their scores, weights and statistics, and are numbered anew.

Example:

    fstore select demo.store --from strong --name news --where 'label == "news" && observed > expected'
    fstore select demo.store --from strong --name short --where 'order <= 2 && support >= 10'
`
}

// Validate is kong's hook.
func (c *selectCommand) Validate() error {
	if c.Name == "" {
		return errors.New("--name: the selection needs a name")
	}
	return nil
}

// Run is kong's hook.
func (c *selectCommand) Run(ctx context.Context, env *Env) error {
	return env.change(ctx, c.Store, func(w *store.Writer) (store.Event, error) {
		decided, err := mine.Derive(ctx, w, mine.DeriveOptions{
			From: c.From, Name: c.Name, Overwrite: c.Overwrite,
			Keep: func(sel *query.Selection) (func(*query.Entry) (bool, error), error) {
				return keepWhere(sel, c.Where)
			},
			Settings: map[string]string{"where": c.Where},
		})
		event := env.event(nil)
		event.Decided = decided
		return event, err
	})
}
