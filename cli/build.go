package cli

import (
	"context"
	"errors"
)

// buildCommand makes a store.
type buildCommand struct {
	Store  string   `arg:"" help:"The directory to make."`
	Inputs []string `arg:"" name:"input" predictor:"file" help:"Treebanks: files, globs, or - for standard input."`

	Space        []spaceArg `sep:"none" predictor:"space" placeholder:"NAME[:OPTIONS]" help:"Fragment space to store; repeatable. Options of one space as in stk:max-order=3 (default: stk for brackets, dep for dependencies)."`
	MinSupport   uint32     `default:"2" help:"Store fragments that occur in at least this many samples."`
	MaxOrder     int        `default:"5" help:"Store fragments of at most this many building blocks; 0 is any."`
	Closed       bool       `help:"Store only fragments that no larger one covers."`
	MaxFragments amount     `default:"50M" help:"Stop where there would be more."`

	labelFlags `embed:"" group:"Labels and documents:"`
	inputFlags `embed:"" group:"Reading input:"`

	Overwrite bool `xor:"existing" help:"Replace an existing store."`
	Append    bool `xor:"existing" help:"Add to an existing store."`

	OnError    string `group:"Reading input:" enum:"stop,skip" default:"stop" help:"What a bad tree does: stop, or skip (it is left out, counted and listed)."`
	errorFlags `embed:"" group:"Reading input:"`
	Workers    int      `placeholder:"N" help:"Goroutines (default: one a core)."`
	Memory     byteSize `placeholder:"SIZE" help:"Memory to stay within, such as 64MiB or 1GB; the result is the same."`
}

// Help is kong's hook.
func (*buildCommand) Help() string {
	return `Reads treebanks, and stores every fragment of the chosen spaces with the samples it occurs in. The same input and options give the same bytes, whatever --workers and --memory.

Example:

    fstore build demo.store 'news/*.mrg' recipes.mrg.gz --label-from file
    fstore build deps.store ud.conllu --space dep:max-order=3 --min-support 5
`
}

// Validate is kong's hook.
func (c *buildCommand) Validate() error {
	switch {
	case c.MinSupport == 0:
		return errors.New("--min-support: at least 1")
	case c.Memory < 0:
		return errors.New("--memory: too large")
	}
	return errors.Join(notNegative("max-order", c.MaxOrder), notNegative("workers", c.Workers),
		c.labelFlags.check(), c.inputFlags.check(), c.errorFlags.check(c.OnError))
}

// Run is kong's hook.
func (c *buildCommand) Run(_ context.Context, _ *Env) error {
	c.Inputs = expandGlobs(c.Inputs)
	return errUnwired
}
