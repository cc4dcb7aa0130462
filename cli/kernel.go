package cli

import (
	"context"
	"errors"
)

// kernelCommand computes kernels.
type kernelCommand struct {
	Input  string `arg:"" predictor:"file" help:"A treebank, or - for standard input."`
	Input2 string `arg:"" optional:"" name:"input2" predictor:"file" help:"A second one: kernels between the two."`

	Space       spaceArg `predictor:"space" default:"stk" placeholder:"NAME[:OPTIONS]" help:"The kernel (default: ${default})."`
	Lambda      float64  `default:"0.4" help:"The decay."`
	inputFlags  `embed:"" group:"Reading input:"`
	Workers     int `placeholder:"N" help:"Goroutines (default: one a core)."`
	outputFlags `embed:"" group:"Output:" set:"formats=As tables: table, tsv, csv, jsonl; or libsvm, a precomputed matrix."`
}

// Help is kong's hook.
func (*kernelCommand) Help() string {
	return `Prints i, j, the kernel and the normalized kernel of each pair, counted from 0; within one input i ≤ j.

Example:

    fstore kernel trees.mrg --lambda 0.4
    fstore kernel train.mrg test.mrg --format libsvm -o test.libsvm
`
}

// Validate is kong's hook.
func (c *kernelCommand) Validate() error {
	if !(c.Lambda > 0 && c.Lambda <= 1) {
		return errors.New("--lambda: above 0, up to 1")
	}
	return errors.Join(notNegative("workers", c.Workers), c.inputFlags.check())
}

// Run is kong's hook.
func (c *kernelCommand) Run(_ context.Context, _ *Env) error { return errUnwired }
