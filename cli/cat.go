package cli

import "context"

// catCommand prints treebanks in another format.
type catCommand struct {
	Inputs []string `arg:"" name:"input" predictor:"file" help:"Treebanks: files, globs, or - for standard input."`

	To         string `required:"" placeholder:"FORMAT" predictor:"tree-format" help:"The format to print: ptb or svmtk for constituency trees, conllu for dependencies."`
	inputFlags `embed:"" group:"Reading input:"`
	OnError    string `group:"Reading input:" enum:"stop,skip" default:"stop" help:"What a bad tree does: stop, or skip (it is left out, counted and listed)."`
	errorFlags `embed:"" group:"Reading input:"`
	Out        string `group:"Output:" name:"output" short:"o" placeholder:"FILE" predictor:"file" help:"Write to FILE, which appears whole or not at all. - is standard output."`
}

// Help is kong's hook.
func (*catCommand) Help() string {
	return `Example:

    fstore cat wsj.mrg.gz --to svmtk --strip-traces --strip-functions
`
}

// Validate is kong's hook.
func (c *catCommand) Validate() error {
	if err := c.inputFlags.check(); err != nil {
		return err
	}
	return c.errorFlags.check(c.OnError)
}

// Run is kong's hook.
func (c *catCommand) Run(_ context.Context, _ *Env) error {
	c.Inputs = expandGlobs(c.Inputs)
	return errUnwired
}
