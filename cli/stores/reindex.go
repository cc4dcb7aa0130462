package stores

import (
	"context"

	"fstore/cli/command"
	"fstore/mine/maintain"
	"fstore/store"
)

// ReindexCommand is the command `reindex`. It rebuilds the expansion indexes of a store.
type ReindexCommand struct {
	Store string `arg:"" predictor:"store" help:"The store."`
}

func (*ReindexCommand) Help() string {
	return `Makes the expansion index of each space and selection anew from its fragments: the file by which linearize, predict and query find them in trees. It is needed where such a file is missing or damaged, which verify says. The fragments, and all numbers, stay as they are; where they are damaged too, verify --repair makes everything anew from the trees.

Example:

    fstore reindex demo.store
`
}

func (c *ReindexCommand) Run(ctx context.Context, env *command.Env) error {
	return env.Change(ctx, c.Store, func(w *store.Writer) (store.Event, error) {
		decided, err := maintain.Reindex(ctx, w, env.Progress)
		env.Progress.Close()
		event := env.Event(nil)
		event.Decided = decided
		return event, err
	})
}
