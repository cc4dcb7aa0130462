package stores

import (
	"context"

	"fstore/cli/command"
	"fstore/index"
	"fstore/mine/maintain"
)

// RemoveCommand is the command `remove`. It takes samples out of a store.
type RemoveCommand struct {
	Store string `arg:"" predictor:"store" help:"The store."`

	Sample []string `sep:"none" placeholder:"NAME" help:"Take out the samples of this name; repeatable."`
	Label  []string `sep:"none" placeholder:"LABEL" help:"Take out the samples that have this label; repeatable."`
	File   []string `sep:"none" placeholder:"FILE" help:"Take out the samples that came from this input, named as it was for build, or by what follows the last slash of that; repeatable."`

	Workers int              `placeholder:"N" help:"Goroutines (default: one a core)."`
	Memory  command.ByteSize `placeholder:"SIZE" help:"Memory to stay within, such as 64MiB or 1GB; the result is the same."`
}

func (*RemoveCommand) Help() string {
	return `Takes out the samples that any of the flags names, and makes the rest of the store anew from the others: it has then the fragments and counts of a store that was built without them, and changes in one step. It needs as much room on disk as the store has. The ids of samples close up. Labels and words keep their numbers, also those that no sample has any more: the order of fragments, and with it feature ids, may differ from those of a build without the samples.

Selections keep their fragments, and the statistics that chose them; models stay as they are.

Example:

    fstore remove demo.store --sample news.mrg#12 --sample news.mrg#31
    fstore remove demo.store --file letter.mrg
`
}

func (c *RemoveCommand) Validate() error { return command.NotNegative("workers", c.Workers) }

func (c *RemoveCommand) Run(ctx context.Context, env *command.Env) error {
	if len(c.Sample)+len(c.Label)+len(c.File) == 0 {
		return index.Usagef("say what to take out: --sample, --label or --file")
	}
	decided, err := maintain.Remove(ctx, c.Store, maintain.RemoveOptions{
		RebuildOptions: env.Rebuild(c.Workers, c.Memory), Samples: c.Sample, Labels: c.Label, Inputs: c.File,
	})
	env.Progress.Close()
	if err != nil {
		return err
	}
	env.Note("%s", decided)
	return nil
}
