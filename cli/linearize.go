package cli

import (
	"context"
	"errors"

	"fstore/cli/usage"
)

// linearizeCommand turns trees into vectors.
type linearizeCommand struct {
	Store  string   `arg:"" predictor:"file" help:"The store whose fragments are the features."`
	Inputs []string `arg:"" optional:"" name:"input" predictor:"file" help:"Treebanks: files, globs, or - for standard input (the default in a pipe)."`

	Training     bool    `help:"Linearize the samples of the store itself."`
	Space        string  `predictor:"space" placeholder:"NAME" help:"The space, where the store has several."`
	Weight       string  `enum:"binary,count,kernel" default:"binary" help:"The value of a feature: binary, count, or kernel (the space's own)."`
	Lambda       float64 `default:"0.4" help:"The decay of --weight kernel."`
	Normalize    string  `enum:"none,l2,kernel" default:"none" help:"Scale vectors to length 1: l2, over the stored fragments, or kernel, over all of the space; or none."`
	Vocabulary   string  `placeholder:"FILE" predictor:"file" help:"Write the features to FILE: id, fragment, order, support, weight."`
	LabelMap     string  `placeholder:"FILE" predictor:"file" help:"Write the numbers of the labels to FILE."`
	IDsFile      string  `name:"ids-file" placeholder:"FILE" predictor:"file" help:"Write the names of the samples to FILE, a line a vector."`
	UnknownLabel string  `placeholder:"VALUE" help:"The number of labels that the store does not know (default: they are bad input)."`

	labelFlags `embed:"" group:"Labels and documents:"`
	inputFlags `embed:"" group:"Reading input:"`

	OnError     string `group:"Reading input:" enum:"stop,skip,empty" default:"stop" help:"What a bad tree does: stop, skip (rows no longer match the input), or empty (an empty vector)."`
	errorFlags  `embed:"" group:"Reading input:"`
	Workers     int `placeholder:"N" help:"Goroutines (default: one a core)."`
	outputFlags `embed:"" group:"Output:" set:"formats=svmlight."`
}

// Help is kong's hook.
func (*linearizeCommand) Help() string {
	return `Prints one vector a tree, in input order, as soon as the input has nothing more waiting.

Example:

    fstore linearize demo.store new.mrg --label-from file -o new.svmlight
    parser < text | fstore linearize demo.store - --weight kernel --normalize kernel
`
}

// Validate is kong's hook.
func (c *linearizeCommand) Validate() error {
	switch {
	case c.Training && len(c.Inputs) > 0:
		return errors.New("--training takes no INPUT")
	case !(c.Lambda > 0 && c.Lambda <= 1):
		return errors.New("--lambda: above 0, up to 1")
	}
	return errors.Join(notNegative("workers", c.Workers),
		c.labelFlags.check(), c.inputFlags.check(), c.errorFlags.check(c.OnError))
}

// Run is kong's hook.
func (c *linearizeCommand) Run(_ context.Context, env *Env) error {
	if len(c.Inputs) == 0 && !c.Training {
		if env.StdinIsTerminal() {
			return usage.Errorf("no INPUT: name a treebank, or - to type one; --training for the stored samples")
		}
		c.Inputs = []string{"-"}
	}
	c.Inputs = expandGlobs(c.Inputs)
	return errUnwired
}
