package look

import (
	"context"
	"errors"

	"fstore/cli/command"
	"fstore/cli/table"
	"fstore/cli/usage"
	"fstore/decode/concordance"
	"fstore/index"
	"fstore/mine/query"
	"fstore/store"
)

// ExamplesCommand shows where a fragment occurs.
type ExamplesCommand struct {
	Store    string `arg:"" predictor:"store" help:"The store."`
	Fragment string `arg:"" help:"A fragment, as query prints it, or a pattern: every stored fragment that fits it."`

	Space               string   `predictor:"space" placeholder:"NAME" help:"The space, where the store has several."`
	Limit               *int     `placeholder:"N" help:"Hits to print; 0 is all (default: 50, or those of --sample)."`
	Sample              int      `placeholder:"N" help:"Print N hits drawn at random, in order."`
	Seed                uint64   `default:"1" help:"Of --sample: the same seed draws the same hits."`
	Label               string   `placeholder:"LABEL" help:"Only samples of this label."`
	Columns             []string `placeholder:"NAME" help:"More columns: fragment, of a pattern's hits the one that is there."`
	command.TextFlags   `embed:""`
	command.OutputFlags `embed:"" group:"Output:"`
}

// defaultHits is how many hits are printed unless --limit says.
const defaultHits = 50

// Help is kong's hook.
func (*ExamplesCommand) Help() string {
	return `Prints every hit as a row: label, document, sample, the text left of the match, the match, the text right of it, and, but for table, the whole sentence. A fragment that is not stored is looked for in every sample. With a pattern, in which _ is any label, word or value and ... any further children (see query), the hits are those of the stored fragments that fit it, each stretch of words once. A fragment that begins with - and may be a flag stands after --.

Example:

    fstore examples demo.store '(NP (DT the) (NN))' --label news --limit 10
    fstore examples demo.store @fragment.txt --sample 50 -o hits.csv
    fstore examples demo.store '(NP (DT _) (NN))' --sample 20 --columns fragment
`
}

// Validate is kong's hook.
func (c *ExamplesCommand) Validate() error {
	if c.Limit != nil && *c.Limit < 0 {
		return command.NotNegative("limit", *c.Limit)
	}
	return command.NotNegative("sample", c.Sample)
}

// Run is kong's hook.
func (c *ExamplesCommand) Run(ctx context.Context, env *command.Env) error {
	c.Normalize(&c.Fragment)
	switch {
	case c.Sample == 0:
		if err := env.Needs("--sample N", "seed"); err != nil {
			return err
		}
	case c.Limit != nil && *c.Limit != 0 && *c.Limit < c.Sample:
		return usage.Errorf("--sample %d draws more hits than --limit %d prints: leave --limit out", c.Sample, *c.Limit)
	}
	return env.WithStore(c.Store, 0, func(s *store.Store) error {
		t, err := query.Open(s, c.Space)
		if err != nil {
			return err
		}
		return c.print(ctx, env, t)
	})
}

func (c *ExamplesCommand) print(ctx context.Context, env *command.Env, t *query.Table) error {
	hits, pattern, err := c.hits(ctx, t)
	if err != nil {
		return err
	}
	more, err := c.moreColumns()
	if err != nil {
		return err
	}
	columns := append([]table.Column{
		{Name: "label"},
		{Name: "document", Hidden: t.Store().Meta().Documents == 0},
		{Name: "sample"},
		{Name: "left", Right: true},
		{Name: "match", Emphasis: true},
		{Name: "right"},
		{Name: "text", Hidden: true},
	}, more...)
	out, err := env.Table(c.OutputFlags, columns)
	if err != nil {
		return err
	}
	defer out.Abort()
	row, printed := table.NewRow(len(columns)), uint64(0)
	var fragment []byte
	total, err := hits(func(h *concordance.Hit) error {
		printed++
		row.Clear()
		for i, text := range [...]string{h.Label, h.Document, h.Name, h.Left, h.Match, h.Right, h.Text} {
			row.SetString(i, text)
		}
		if len(more) > 0 {
			fragment = t.Text(fragment[:0], h.Fragment)
			row.SetText(len(columns)-1, fragment)
		}
		return out.Write(row)
	})
	if err != nil {
		return err
	}
	if total == 0 && c.Label == "" {
		absent := t.Absent(c.Fragment)
		if !pattern { // it was looked for in every sample
			absent.Why += "; no sample has a hit"
		}
		return errors.Join(out.Commit(), absent)
	}
	if pattern {
		noteLiteral(env, t, c.Fragment)
	}
	if err := out.Commit(); err != nil {
		return err
	}
	of := ""
	if printed < total {
		of = index.Thousands(printed) + " of "
	}
	env.Note("%s%s", of, index.Plural(total, "hit"))
	return nil
}

// hits returns what calls a function for each wanted hit, and says whether they are a
// pattern's.
func (c *ExamplesCommand) hits(ctx context.Context, t *query.Table) (each func(func(*concordance.Hit) error) (uint64, error), pattern bool, err error) {
	p, err := t.Pattern(c.Fragment)
	if err != nil {
		return nil, false, err
	}
	if p != nil {
		return func(f func(*concordance.Hit) error) (uint64, error) {
			return concordance.PatternHits(ctx, t, p, c.options(), f)
		}, true, nil
	}
	code, err := t.Parse(c.Fragment)
	return func(f func(*concordance.Hit) error) (uint64, error) {
		return concordance.Hits(ctx, t, code, c.options(), f)
	}, false, err
}

// moreColumns returns those of --columns.
func (c *ExamplesCommand) moreColumns() ([]table.Column, error) {
	for _, name := range c.Columns {
		if name != "fragment" {
			return nil, usage.Errorf("--columns %s: unknown column (columns: fragment)", name)
		}
	}
	if len(c.Columns) == 0 {
		return nil, nil
	}
	return []table.Column{{Name: "fragment"}}, nil
}

func (c *ExamplesCommand) options() concordance.HitOptions {
	o := concordance.HitOptions{Label: c.Label, Sample: c.Sample, Seed: c.Seed, Limit: defaultHits}
	switch {
	case c.Limit != nil:
		o.Limit = *c.Limit
	case c.Sample > 0:
		o.Limit = 0
	}
	return o
}
