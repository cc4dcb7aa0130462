package look

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"fstore/cli/command"
	"fstore/cli/table"
	"fstore/index"
	"fstore/mine/count"
	"fstore/store"
)

// PatternCommand is the command pattern. It makes patterns from chosen words of a sample.
type PatternCommand struct {
	Store string `arg:"" predictor:"store" help:"The store."`

	Sample              string `required:"" placeholder:"N|NAME" help:"The sample with the words: the N-th, from 1, or the one of this name."`
	Words               []int  `required:"" placeholder:"N,N" help:"The words, by their numbers in the sample, from 1."`
	Workers             int    `placeholder:"N" help:"Goroutines (default: one a core)."`
	command.OutputFlags `embed:"" group:"Output:"`
}

func (*PatternCommand) Help() string {
	return `Makes patterns of chosen words of a sample, from general to special, each with its count (see count). Of dependencies: the smallest piece of the tree with the words, by its relations; by UPOS; with the lemma of its head, all lemmas, all forms. Of brackets: the smallest constituents with the words, with any further children or with those that are there, without the words and with them.

Example:

    fstore pattern ud.store --sample letter-10 --words 2,3,5
    fstore pattern demo.store --sample news.mrg#12 --words 4,5
`
}

func (c *PatternCommand) Validate() error { return command.NotNegative("workers", c.Workers) }

func (c *PatternCommand) Run(ctx context.Context, env *command.Env) error {
	return env.WithStore(c.Store, 0, func(s *store.Store) error {
		id, others, err := command.SampleID(ctx, s, c.Sample)
		if errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("the store has no sample %s", c.Sample)
		}
		if err != nil {
			return err
		}
		if others > 0 {
			env.Note("%s more of the name %s: this is the first", index.Plural(others, "sample"), c.Sample)
		}
		x, err := count.Open(s, "")
		if err != nil {
			return err
		}
		x.NoFragments = true
		return c.print(ctx, env, x, id)
	})
}

func (c *PatternCommand) print(ctx context.Context, env *command.Env, x *count.Trees, id uint32) error {
	var t index.Tree
	if err := x.Store().Sample(id, &t); err != nil {
		return err
	}
	texts, err := x.Chosen(&t, c.Words)
	if err != nil {
		return err
	}
	var all []*count.Construction
	for _, text := range texts {
		k, err := x.Parse(text)
		if err != nil {
			return err
		}
		all = append(all, k)
	}
	counts, err := x.Count(ctx, all, count.Options{Workers: c.Workers, Progress: env.Progress})
	env.Progress.Close()
	if err != nil {
		return err
	}
	slices.SortStableFunc(counts, func(a, b *count.Counts) int { return cmp.Compare(b.Rows[0].Hits, a.Rows[0].Hits) })
	documents := x.Store().Meta().Documents > 0
	columns := []table.Column{
		{Name: "pattern"},
		{Name: "hits", Kind: table.Uint},
		{Name: "places", Kind: table.Uint},
		{Name: "samples", Kind: table.Uint},
		{Name: "documents", Kind: table.Uint, Hidden: !documents},
		{Name: "permillion", Kind: table.Float},
	}
	return env.WriteTable(c.OutputFlags, columns, env.Titled("patterns"), func(row *table.Row, write func() error) error {
		for _, k := range counts {
			r := &k.Rows[0]
			row.SetString(0, k.Construction.Text)
			for i, n := range [...]uint64{r.Hits, r.Places, r.Samples} {
				row.SetUint(1+i, n)
			}
			if documents {
				row.SetUint(4, r.Documents)
			}
			row.SetFloat(5, r.Permillion())
			if err := write(); err != nil {
				return err
			}
		}
		return nil
	})
}
