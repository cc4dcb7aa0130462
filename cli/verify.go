package cli

import (
	"context"
	"errors"
)

// verifyCommand recounts a store.
type verifyCommand struct {
	Store string `arg:"" predictor:"file" help:"The store."`

	Workers int      `placeholder:"N" help:"Goroutines (default: one a core)."`
	Memory  byteSize `placeholder:"SIZE" help:"Memory to stay within, such as 64MiB or 1GB."`
}

// Help is kong's hook.
func (*verifyCommand) Help() string {
	return `Checks every key and checksum, and recounts every posting list and number from the stored trees. Exit code 4 where something is damaged; leftovers of a killed run are mentioned, and are no damage.

Example:

    fstore verify demo.store
`
}

// Validate is kong's hook.
func (c *verifyCommand) Validate() error {
	if c.Memory < 0 {
		return errors.New("--memory: too large")
	}
	return notNegative("workers", c.Workers)
}

// Run is kong's hook.
func (c *verifyCommand) Run(_ context.Context, _ *Env) error { return errUnwired }
