package cli

import "context"

// infoCommand says what a store holds.
type infoCommand struct {
	Store string `arg:"" predictor:"file" help:"The store."`

	History     bool   `xor:"what" help:"List the runs that made the store: command, version, seed, inputs, time."`
	Sample      uint64 `xor:"what" placeholder:"N" help:"Show sample N, from 1: name, labels, document, tree."`
	outputFlags `embed:"" group:"Output:"`
}

// Help is kong's hook.
func (*infoCommand) Help() string {
	return `Prints one record: samples, sentences, words, documents, labels, spaces, fragments per order, candidates below the support threshold, bytes.

Example:

    fstore info demo.store
    fstore info demo.store --format jsonl
`
}

// Run is kong's hook.
func (c *infoCommand) Run(_ context.Context, _ *Env) error { return errUnwired }
