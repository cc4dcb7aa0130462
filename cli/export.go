package cli

import (
	"context"

	"fstore/cli/output"
	"fstore/mine"
	"fstore/store"
)

// exportCommand writes what a store has under a name to a file.
type exportCommand struct {
	Store string `arg:"" predictor:"file" help:"The store."`
	Name  string `arg:"" help:"A selection."`
	File  string `arg:"" predictor:"file" help:"The file, which appears whole or not at all; - is standard output."`
}

// Help is kong's hook.
func (*exportCommand) Help() string {
	return `Writes a selection as one file of text: a header with its space, its options and its columns, then a fragment a line. import reads it into any store.

Example:

    fstore export demo.store strong strong.fst
    fstore import other.store strong.fst --name strong
`
}

// Run is kong's hook.
func (c *exportCommand) Run(ctx context.Context, env *Env) error {
	return env.withStore(c.Store, 0, func(s *store.Store) error {
		out, err := output.Open(env.FS, c.File, env.Stdout)
		if err != nil {
			return err
		}
		defer out.Abort()
		if err := mine.Export(ctx, s, c.Name, out); err != nil {
			return err
		}
		return out.Commit()
	})
}
