package cli

import (
	"context"
	"errors"

	"fstore/cli/table"
	"fstore/decode"
	"fstore/index"
	"fstore/mine/query"
	"fstore/store"
)

// examplesCommand shows where a fragment occurs.
type examplesCommand struct {
	Store    string `arg:"" predictor:"file" help:"The store."`
	Fragment string `arg:"" help:"A fragment, as query prints it."`

	Space       string `predictor:"space" placeholder:"NAME" help:"The space, where the store has several."`
	Limit       *int   `placeholder:"N" help:"Hits to print; 0 is all (default: 50, or those of --sample)."`
	Sample      int    `placeholder:"N" help:"Print N hits drawn at random, in order."`
	Seed        uint64 `default:"1" help:"Of --sample: the same seed draws the same hits."`
	Label       string `placeholder:"LABEL" help:"Only samples of this label."`
	outputFlags `embed:"" group:"Output:"`
}

// defaultHits is how many hits are printed unless --limit says.
const defaultHits = 50

// Help is kong's hook.
func (*examplesCommand) Help() string {
	return `Prints every hit as a row: label, document, sample, the text left of the match, the match, the text right of it, and, but for table, the whole sentence. A fragment that is not stored is looked for in every sample.

Example:

    fstore examples demo.store '(NP (DT the) (NN))' --label news --limit 10
    fstore examples demo.store @fragment.txt --sample 50 -o hits.csv
`
}

// Validate is kong's hook.
func (c *examplesCommand) Validate() error {
	if c.Limit != nil && *c.Limit < 0 {
		return notNegative("limit", *c.Limit)
	}
	return notNegative("sample", c.Sample)
}

// Run is kong's hook.
func (c *examplesCommand) Run(ctx context.Context, env *Env) error {
	return env.withStore(c.Store, 0, func(s *store.Store) error {
		t, err := query.Open(s, c.Space)
		if err != nil {
			return err
		}
		return c.print(ctx, env, t)
	})
}

func (c *examplesCommand) print(ctx context.Context, env *Env, t *query.Table) error {
	code, err := t.Parse(c.Fragment)
	if err != nil {
		return err
	}
	columns := []table.Column{
		{Name: "label"},
		{Name: "document", Hidden: t.Store().Meta().Documents == 0},
		{Name: "sample"},
		{Name: "left", Right: true},
		{Name: "match", Emphasis: true},
		{Name: "right"},
		{Name: "text", Hidden: true},
	}
	out, err := env.Table(c.outputFlags, columns)
	if err != nil {
		return err
	}
	defer out.Abort()
	row := table.NewRow(len(columns))
	printed := uint64(0)
	total, err := decode.Hits(ctx, t, code, c.options(), func(h *decode.Hit) error {
		printed++
		row.Clear()
		for i, text := range [...]string{h.Label, h.Document, h.Name, h.Left, h.Match, h.Right, h.Text} {
			row.SetString(i, text)
		}
		return out.Write(row)
	})
	if err != nil {
		return err
	}
	if total == 0 && c.Label == "" {
		return errors.Join(out.Commit(), &query.AbsentError{Text: c.Fragment, Why: "it occurs in no sample"})
	}
	if err := out.Commit(); err != nil {
		return err
	}
	if printed < total {
		env.Note("%s of %s", index.Thousands(printed), plural(total, "hit"))
	} else {
		env.Note("%s", plural(total, "hit"))
	}
	return nil
}

func (c *examplesCommand) options() decode.HitOptions {
	o := decode.HitOptions{Label: c.Label, Sample: c.Sample, Seed: c.Seed, Limit: defaultHits}
	switch {
	case c.Limit != nil:
		o.Limit = *c.Limit
	case c.Sample > 0:
		o.Limit = 0
	}
	return o
}
