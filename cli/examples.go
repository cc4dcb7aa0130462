package cli

import (
	"context"
	"errors"
)

// examplesCommand shows where a fragment occurs.
type examplesCommand struct {
	Store    string `arg:"" predictor:"file" help:"The store."`
	Fragment string `arg:"" help:"A fragment, as query prints it."`

	Space       string `predictor:"space" placeholder:"NAME" help:"The space, where the store has several."`
	Limit       int    `help:"Hits to print; 0 is all."`
	Sample      int    `xor:"choice" placeholder:"N" help:"Print N hits drawn at random, in order."`
	Seed        uint64 `default:"1" help:"Of --sample: the same seed draws the same hits."`
	Label       string `placeholder:"LABEL" help:"Only samples of this label."`
	outputFlags `embed:"" group:"Output:"`
}

// Help is kong's hook.
func (*examplesCommand) Help() string {
	return `Prints every hit as a row: label, document, sample, the text left of the match, the match, the text right of it, and the whole sentence.

Example:

    fstore examples demo.store '(NP (DT the) (NN))' --label news --limit 10
    fstore examples demo.store @fragment.txt --sample 50 -o hits.csv
`
}

// Validate is kong's hook.
func (c *examplesCommand) Validate() error {
	return errors.Join(notNegative("limit", c.Limit), notNegative("sample", c.Sample))
}

// Run is kong's hook.
func (c *examplesCommand) Run(_ context.Context, _ *Env) error { return errUnwired }
