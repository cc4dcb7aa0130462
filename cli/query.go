package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"fstore/cli/usage"
	"fstore/mine/query"
	"fstore/store"
)

// queryCommand lists fragments, or shows one.
type queryCommand struct {
	Store    string  `arg:"" predictor:"file" help:"The store."`
	Fragment *string `arg:"" optional:"" help:"A fragment, as the list prints it: its numbers per label, its parts and expansions."`

	Space       string     `predictor:"space" placeholder:"NAME" help:"The space, where the store has several."`
	Order       orderRange `placeholder:"N|N-M" help:"Only fragments of this order, or of orders in this range: 3, 2-4, 2-."`
	Where       string     `placeholder:"EXPR" help:"Only rows for which EXPR holds: an expression over the columns."`
	Sort        string     `placeholder:"COLUMN" help:"Sort by COLUMN: numbers descending, text ascending, or as COLUMN:asc or COLUMN:desc says (default: support, then the fragment's bytes)."`
	Limit       int        `default:"20" help:"Rows to print, or expansions; 0 is all."`
	Columns     []string   `placeholder:"NAME" help:"More columns: id; chi2, pvalue, g2, pmi, logdice, logodds, the association with a label."`
	Positive    string     `placeholder:"LABEL" help:"The label of the columns of association (default: of two, the first)."`
	Cache       byteSize   `placeholder:"SIZE" help:"Memory for hot fragments, such as 64MiB."`
	outputFlags `embed:"" group:"Output:"`
}

// Help is kong's hook.
func (*queryCommand) Help() string {
	return `Columns: fragment, order, support (samples), occurrences (freq is the same), and support:LABEL for each label; with --columns id, and the association of samples with the fragment and samples with the label --positive: chi2 (X²) and its pvalue, g2 (log-likelihood, natural logarithms), pmi (log2), logdice, logodds (natural; where a count of 0 would make a logarithm infinite, it is 0.5). In --where the labels' are by["LABEL"]; text has contains, startsWith and matches (a regular expression).

With FRAGMENT: a row of these columns for the fragment itself, its parts one order down and its expansions one order up, which the first column, relation, tells apart, and share:LABEL, the share of the label's samples that have it; in jsonl one object; in table a page. A store of closed fragments shows the closure of a fragment that it has not.

Example:

    fstore query demo.store --where 'support >= 10 && by["news"] > 3 && fragment contains "(DT the)"'
    fstore query demo.store --positive news --columns chi2,pvalue --sort chi2
    fstore query demo.store --sort order:asc --limit 0 -o all.csv
    fstore query demo.store '(NP (DT the) (NN))'
`
}

// Validate is kong's hook.
func (c *queryCommand) Validate() error { return notNegative("limit", c.Limit) }

// Run is kong's hook.
func (c *queryCommand) Run(ctx context.Context, env *Env) error {
	if c.Fragment != nil && (c.Where != "" || c.Sort != "" || c.Order != orderRange{} || len(c.Columns) > 0 || c.Positive != "") {
		return usage.Errorf("--where, --sort, --order, --columns and --positive are for the list: leave FRAGMENT out")
	}
	return env.withStore(c.Store, c.Cache, func(s *store.Store) error {
		t, err := query.Open(s, c.Space)
		if err != nil {
			return err
		}
		if c.Fragment != nil {
			return c.page(ctx, env, t)
		}
		return c.list(ctx, env, t)
	})
}

// orderRange is --order; the zero value is any.
type orderRange struct{ from, to int }

// Decode is kong's hook.
func (o *orderRange) Decode(ctx *kong.DecodeContext) error {
	text, err := argument(ctx)
	if err != nil {
		return err
	}
	from, to, isRange := strings.Cut(text, "-")
	*o = orderRange{1, math.MaxInt}
	var errs [2]error
	if from != "" || !isRange {
		o.from, errs[0] = strconv.Atoi(from)
	}
	if to != "" {
		o.to, errs[1] = strconv.Atoi(to)
	}
	if !isRange {
		o.to = o.from
	}
	if errors.Join(errs[:]...) != nil || text == "-" || o.from < 1 || o.to < o.from {
		return fmt.Errorf("%q is no order such as 3, and no range such as 2-4 or 2-", text)
	}
	return nil
}

func (o orderRange) has(order int) bool {
	return o == orderRange{} || o.from <= order && order <= o.to
}
