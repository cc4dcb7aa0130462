package look

import (
	"context"
	"errors"
	"slices"

	"fstore/cli/command"
	"fstore/cli/output"
	"fstore/cli/table"
	"fstore/decode/concordance"
	"fstore/decode/print"
	"fstore/index"
	"fstore/mine/count"
	"fstore/mine/query"
	"fstore/store"
)

// ExamplesCommand is the command `examples`. It shows where a construction occurs.
type ExamplesCommand struct {
	Store    string `arg:"" predictor:"store" help:"The store."`
	Fragment string `arg:"" help:"A fragment, as query prints it, or a pattern, as count takes it."`

	Space               string   `predictor:"space" placeholder:"NAME" help:"The space whose fragment it may be, where the store has several."`
	Limit               *int     `placeholder:"N" help:"Hits to print; 0 is all (default: 50, or those of --sample)."`
	Sample              int      `placeholder:"N" help:"Print N hits drawn at random, in order."`
	Seed                uint64   `default:"1" help:"Of --sample: the same seed draws the same hits."`
	Label               string   `placeholder:"LABEL" help:"Only samples of this label, or of one of these labels, joined by commas."`
	Document            string   `placeholder:"DOCUMENT" help:"Only samples of this document."`
	Before              string   `placeholder:"WORD" help:"Only hits with this word just before the match, whatever its case."`
	After               string   `placeholder:"WORD" help:"Only hits with this word just after the match, whatever its case."`
	Sort                string   `enum:",before,match,after" default:"" placeholder:"WHERE" help:"Sort all hits by the words before the match, the nearest first, by the match, or by the words after it (default: in the order of the store)."`
	Columns             []string `placeholder:"NAME" help:"More columns: fragment, of a pattern's hits what is there; number, of the sample in the store, from 1; in table also positions and text."`
	command.TextFlags   `embed:""`
	command.OutputFlags `embed:"" group:"Output:" set:"formats=${hit_formats}"`
}

// defaultHits is how many hits are printed without --limit.
const defaultHits = 50

func (*ExamplesCommand) Help() string {
	return `Prints every hit as a row: label, document, sample, the text left of the match, the match, the text right of it, and, but for table, the whole sentence, and the positions of the matched nodes: of each node of the pattern, in the order of its text, the number of its word, or those of its first and last, as in 3-5. A fragment or a pattern is looked for in the trees, whatever is stored, and its hits are those that count finds. A pattern of spaces that are no trees (seq, tag, poly) finds the hits of the stored fragments that fit it, each stretch of words once. A fragment that begins with - and may be a flag stands after --.

Example:

    fstore examples demo.store '(NP (DT the) (NN))' --label news --limit 10
    fstore examples demo.store @fragment.txt --sample 50 -o hits.csv
    fstore examples demo.store '(NP (DT _) (NN))' --sample 20 --columns fragment
    fstore examples ud.store 'VERB >iobj _' --before to --limit 0 -o sentences.conllu
    fstore examples ud.store 'VERB >iobj _ >obj (... NOUN ...)' --sort after
`
}

func (c *ExamplesCommand) Validate() error {
	if c.Limit != nil && *c.Limit < 0 {
		return command.NotNegative("limit", *c.Limit)
	}
	return command.NotNegative("sample", c.Sample)
}

func (c *ExamplesCommand) Run(ctx context.Context, env *command.Env) error {
	c.Normalize(&c.Fragment, &c.Before, &c.After)
	switch {
	case c.Sample == 0:
		if err := env.Needs("--sample N", "seed"); err != nil {
			return err
		}
	case c.Limit != nil && *c.Limit != 0 && *c.Limit < c.Sample:
		return index.Usagef("--sample %d draws more hits than --limit %d prints: leave --limit out", c.Sample, *c.Limit)
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
	x, err := count.Open(t.Store(), c.Space)
	if err != nil {
		return err
	}
	k, hits, err := c.hits(ctx, t, x)
	if err != nil {
		return err
	}
	if c.Wants(treesFormat) {
		return c.trees(env, t, hits, func() error { return c.explainNone(ctx, env, t, x, k) })
	}
	columns, err := c.columns(t)
	if err != nil {
		return err
	}
	out, err := env.Table(c.OutputFlags, columns)
	if err != nil {
		return err
	}
	defer out.Abort()
	w := &hitWriter{out: out, columns: columns, row: table.NewRow(len(columns)), limit: c.options().Limit}
	total, err := hits(w.taker(c.Sort))
	if err == nil {
		err = w.writeSorted()
	}
	if err != nil {
		return err
	}
	if total == 0 {
		if err := c.explainNone(ctx, env, t, x, k); err != nil {
			return errors.Join(out.Commit(), err)
		}
	}
	if k == nil || k.Fragment == nil {
		noteLiteral(env, t, c.Fragment)
	}
	if err := out.Commit(); err != nil {
		return err
	}
	if k != nil && x.ReadsSides(k) {
		noteSides(env, x, []string{k.Text})
	}
	of := ""
	if w.printed < total {
		of = index.Thousands(w.printed) + " of "
	}
	env.Note("%s%s", of, index.Plural(total, "hit"))
	return nil
}

// explainNone returns the error for a text without hits. If flags leave out hits, it only warns of names that
// no tree has.
func (c *ExamplesCommand) explainNone(ctx context.Context, env *command.Env, t *query.Table, x *count.Trees, k *count.Construction) error {
	if c.Label == "" && c.Document == "" && c.Before == "" && c.After == "" {
		absent := t.Absent(c.Fragment)
		if k != nil { // the trees of all samples were searched
			if absent.Trees = true; k.Fragment == nil {
				absent.Why += "; it was read as a pattern, as count reads it"
			}
			if x.ReadsSides(k) {
				absent.Why += "; < and > are left and right of the head here, and <> is either side"
			}
		}
		return absent
	}
	if k == nil {
		return nil
	}
	notes, err := x.Unknown(ctx, []*count.Construction{k}, []bool{false})
	if err != nil {
		return err
	}
	for _, note := range notes[0] {
		env.Warn("%s: %s", c.Fragment, note)
	}
	return nil
}

// hits returns a loop over the wanted hits. It also returns the construction, or nil if the text is a pattern
// of stored fragments.
func (c *ExamplesCommand) hits(ctx context.Context, t *query.Table, x *count.Trees) (k *count.Construction, each func(func(*concordance.Hit) error) (uint64, error), err error) {
	k, err = x.Parse(c.Fragment)
	if err == nil {
		return k, func(f func(*concordance.Hit) error) (uint64, error) {
			return concordance.Hits(ctx, t, x, k, c.options(), f)
		}, nil
	}
	if p, perr := t.Pattern(c.Fragment); perr == nil && p != nil {
		return nil, func(f func(*concordance.Hit) error) (uint64, error) {
			return concordance.PatternHits(ctx, t, p, c.options(), f)
		}, nil
	}
	return nil, nil, notFragment(t, c.Fragment, err)
}

// notFragment returns the error for a text that is neither a pattern nor a fragment. The argument `err` says
// why the text is no pattern.
func notFragment(t *query.Table, text string, err error) error {
	if _, own := t.Space.(index.Implying); own {
		return err
	}
	if _, other := t.Parse(text); other != nil {
		return other
	}
	return err
}

func (c *ExamplesCommand) columns(t *query.Table) ([]table.Column, error) {
	columns := []table.Column{
		{Name: "label"},
		{Name: "document", Hidden: t.Store().Meta().Documents == 0},
		{Name: "sample"},
		{Name: "left", Right: true},
		{Name: "match", Emphasis: true},
		{Name: "right"},
		{Name: "text", Hidden: true},
		{Name: "positions", Hidden: true},
	}
	for _, name := range c.Columns {
		switch i := table.Index(columns, name); {
		case i >= 0:
			columns[i].Hidden = false
		case name == "fragment":
			columns = append(columns, table.Column{Name: "fragment", Whole: true})
		case name == "number":
			columns = append(columns, table.Column{Name: "number", Kind: table.Uint})
		default:
			return nil, index.Usagef("--columns %s: unknown column (columns: fragment, number, text, positions)", name)
		}
	}
	return columns, nil
}

func (c *ExamplesCommand) options() concordance.HitOptions {
	o := concordance.HitOptions{
		Label: c.Label, Document: c.Document, Before: c.Before, After: c.After, Sample: c.Sample, Seed: c.Seed, Limit: defaultHits,
		Fragment: slices.Contains(c.Columns, "fragment"), All: c.Sort != "",
	}
	switch {
	case c.Limit != nil:
		o.Limit = *c.Limit
	case c.Sample > 0:
		o.Limit = 0
	}
	return o
}

// treesFormat is the format that prints the samples with hits as a treebank.
var treesFormat = output.Format{Name: "treebank", Extensions: []string{"conllu", "mrg", "ptb", "svmtk"}}

// trees prints each sample that has a wanted hit, in the order of the store. Without hits, it calls
// explainNone.
func (c *ExamplesCommand) trees(env *command.Env, t *query.Table, hits func(func(*concordance.Hit) error) (uint64, error), explainNone func() error) error {
	if c.Sort != "" || len(c.Columns) > 0 {
		return index.Usagef("--sort and --columns are of the table of hits: --format treebank prints samples, in the order of the store")
	}
	_, out, err := env.Open(c.OutputFlags, []output.Format{treesFormat}, treesFormat.Name)
	if err != nil {
		return err
	}
	defer out.Abort()
	labels, err := t.Store().Labels()
	if err != nil {
		return err
	}
	var tree index.Tree
	var text []byte
	samples, last := 0, uint32(0)
	total, err := hits(func(h *concordance.Hit) error {
		if samples > 0 && h.ID == last {
			return nil
		}
		samples, last = samples+1, h.ID
		if err := t.Store().Sample(h.ID, &tree); err != nil {
			return err
		}
		printed, numbers, err := print.AppendStored(text[:0], &tree, t.Symbols(), labels)
		if err != nil {
			return err
		}
		if samples == 1 {
			env.Numbered(numbers)
		}
		text = printed
		_, err = out.Write(text)
		return err
	})
	if err == nil && total == 0 {
		err = explainNone()
	}
	if err != nil {
		return err
	}
	env.Note("%s of %s", index.Plural(samples, "sample"), index.Plural(total, "hit"))
	return out.Commit()
}
