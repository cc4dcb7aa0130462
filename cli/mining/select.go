package mining

import (
	"context"
	"errors"

	"fstore/cli/command"
	"fstore/cli/look"
	"fstore/mine/selection"
	"fstore/store"
)

// SelectCommand is the command select. It makes a selection of the fragments for which --where is true.
type SelectCommand struct {
	Store string `arg:"" predictor:"store" help:"The store."`

	From      string `xor:"from" placeholder:"SEL" help:"The selection to choose from (default: all that is stored of --space)."`
	Space     string `xor:"from" predictor:"space" placeholder:"NAME" help:"The space to choose from, where the store has several."`
	Name      string `required:"" placeholder:"NAME" help:"What the new one is called."`
	Where     string `required:"" placeholder:"EXPR" help:"Take the fragments for which EXPR holds: an expression over the columns that query has of a space, without a model, or of a selection."`
	Positive  string `placeholder:"LABEL" help:"The label of the columns of association in --where, of a space (default: of two, the first)."`
	Overwrite bool   `help:"Replace a selection of that name."`

	command.TextFlags `embed:""`
}

func (*SelectCommand) Help() string {
	return `Makes a selection of another: its fragments keep their scores, weights and statistics, and are numbered anew. Or of all fragments that are stored of a space: their score is the support.

Example:

    fstore select demo.store --from strong --name news --where 'label == "news" && observed > expected'
    fstore select demo.store --from strong --name short --where 'order <= 2 && support >= 10'
    fstore select demo.store --name nouns --where 'fragment startsWith "(NP" && support >= 10'
`
}

func (c *SelectCommand) Validate() error {
	if c.Name == "" {
		return errors.New("--name: the selection needs a name")
	}
	if c.Where == "" {
		return look.ErrNoCondition
	}
	if c.From != "" && c.Positive != "" {
		return errors.New("--positive is of spaces: a selection has its label in a column")
	}
	return nil
}

func (c *SelectCommand) Run(ctx context.Context, env *command.Env) error {
	c.Normalize(&c.Where)
	return env.Change(ctx, c.Store, func(w *store.Writer) (store.Event, error) {
		decided, err := look.Derive(ctx, env, w, selection.DeriveOptions{
			From: c.From, Space: c.Space, Name: c.Name, Overwrite: c.Overwrite,
			Settings: map[string]string{"where": c.Where},
		}, c.Where, c.Positive)
		event := env.Event(nil)
		event.Decided = decided
		return event, err
	})
}
