package cli

import (
	"context"
	"errors"
)

// queryCommand lists fragments, or shows one.
type queryCommand struct {
	Store    string `arg:"" predictor:"file" help:"The store."`
	Fragment string `arg:"" optional:"" help:"A fragment, as the list prints it: its numbers per label, its parts and expansions."`

	Space       string   `predictor:"space" placeholder:"NAME" help:"The space, where the store has several."`
	Order       int      `placeholder:"N" help:"Only fragments of this order."`
	Where       string   `placeholder:"EXPR" help:"Only rows for which EXPR holds: an expression over the columns."`
	Sort        string   `placeholder:"COLUMN" help:"Sort by COLUMN: numbers descending, text ascending, or as COLUMN:asc or COLUMN:desc says (default: support, then the fragment's bytes)."`
	Limit       int      `default:"20" help:"Rows to print; 0 is all."`
	Columns     []string `placeholder:"NAME" help:"More columns."`
	Cache       byteSize `placeholder:"SIZE" help:"Memory for hot fragments, such as 64MiB."`
	outputFlags `embed:"" group:"Output:"`
}

// Help is kong's hook.
func (*queryCommand) Help() string {
	return `Columns: fragment, order, support (samples), occurrences (freq is the same), and support:LABEL for each label. In --where the last is by["LABEL"]; text has contains, startsWith and matches (a regular expression).

Example:

    fstore query demo.store --where 'support >= 10 && by["news"] > 3 && fragment contains "(DT the)"'
    fstore query demo.store --sort order:asc --limit 0 -o all.csv
    fstore query demo.store '(NP (DT the) (NN))'
`
}

// Validate is kong's hook.
func (c *queryCommand) Validate() error {
	return errors.Join(notNegative("limit", c.Limit), notNegative("order", c.Order))
}

// Run is kong's hook.
func (c *queryCommand) Run(_ context.Context, _ *Env) error { return errUnwired }
