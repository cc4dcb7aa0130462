package look

import (
	"context"
	"errors"
	"math"
	"strings"

	"fstore/cli/command"
	"fstore/cli/output"
	"fstore/cli/table"
	"fstore/index"
	"fstore/index/pattern"
	"fstore/mine/count"
	"fstore/store"
)

func (*CountCommand) Help() string {
	return `Counts patterns in the trees of a store, whatever fragments it has: the posting lists of stored fragments that a pattern implies bound where its hits can be, and only these trees are read.

A row a pattern and label, and before these one for all samples, whose label is empty. hits are the assignments of the pattern's nodes to nodes of a tree; places the different nodes at which a hit begins; samples and documents those with a hit; words all words there are (with punctuation; the leaves of brackets); permillion the hits in a million words; dp how unevenly they are spread over documents (Gries's deviation of proportions), dpnorm that divided by 1 less the smallest document's share (Lijffijt & Gries); permillion_places is of places.

Brackets: (VP (VBD|VBN _) (NP ...)). _ is any label, word or value; ... any further children, where it stands; NP|WHNP either, NP* what begins so, /i/the whatever its case. A node without children may have any in the tree. Children stand side by side where no ... is between them.

Arcs: PRON <nsubj VERB[lemma=give] >obj (NOUN >det DET). A node is a UPOS, an arc the relation: < on the left, > on the right of the head, <>obj on either side, written after the head. Dependents on one side stand in the order of the text; there may always be others. Conditions: [lemma=give], [form=/i/to|too], [xpos=VB*], [feats~Number=Plur] (one item of the list is that), [misc~SpaceAfter=No]. The character itself is \x7C for |, \x5B for [, \x2A for a * at the end, \x5F for _ alone.

A fragment of the store's space means what it means there: of a space whose arcs have no direction, > is either side.

Example:

    fstore count demo.store '(NP ... (SBAR ...))' '(VP (VBD _) (VP (VBN _) ...))'
    fstore count ud.store 'VERB[lemma=give] >iobj _ >obj _' --by lemma
    fstore count ud.store --patterns constructions.tsv --by document -o counts.xlsx
    fstore count ud.store '_ >acl:relcl _' --explain
`
}

func (c *CountCommand) Validate() error {
	key, isComment := strings.CutPrefix(c.By, "comment:")
	switch {
	case isComment && key != "", c.By == "label", c.By == "document", c.byWords():
	default:
		return errors.New("--by: label, document, comment:KEY, form or lemma")
	}
	if c.Wants(svgFormat) && c.By != "document" {
		return errors.New("svg is a picture of documents: --by document")
	}
	return errors.Join(command.NotNegative("limit", c.Limit), command.NotNegative("workers", c.Workers))
}

func (c *CountCommand) byWords() bool { return c.By == "form" || c.By == "lemma" }

func (c *CountCommand) Run(ctx context.Context, env *command.Env) error {
	return env.WithStore(c.Store, 0, func(s *store.Store) error {
		x, err := count.Open(s, c.Space)
		if err != nil {
			return err
		}
		x.NoFragments = !c.Fragments
		all, names, err := constructions(ctx, env, x, c.Patterns, c.PatternsFile, &c.TextFlags)
		if err != nil {
			return err
		}
		c.names = names
		if c.By == "lemma" && s.Meta().Kind == index.Constituency {
			return index.Usagef("--by lemma: constituency trees have no lemmas: --by form has their words")
		}
		if c.By == "document" && s.Meta().Documents == 0 {
			return index.Usagef("--by document: the store knows no documents (build --document-from)")
		}
		if c.Wants(svgFormat) {
			return c.draw(ctx, env, x, all)
		}
		if c.byWords() {
			return c.printValues(ctx, env, x, all)
		}
		return c.printCounts(ctx, env, x, all)
	})
}

func (c *CountCommand) options(env *command.Env) count.Options {
	return count.Options{Workers: c.Workers, Progress: env.Progress}
}

// countColumns returns the columns of a table with --by label, document or comment.
func (c *CountCommand) countColumns(s *store.Store) []table.Column {
	documents := s.Meta().Documents > 0
	return []table.Column{
		{Name: "pattern"},
		{Name: c.By, Hidden: c.By == "label" && s.Meta().Labels == 0},
		{Name: "hits", Kind: table.Uint},
		{Name: "places", Kind: table.Uint},
		{Name: "samples", Kind: table.Uint},
		{Name: "documents", Kind: table.Uint, Hidden: !documents || c.By == "document"},
		{Name: "words", Kind: table.Uint, Spare: 1},
		{Name: "permillion", Kind: table.Float},
		{Name: "dp", Kind: table.Float, Hidden: !documents || c.By == "document"},
		{Name: "dpnorm", Kind: table.Float, Hidden: !documents || c.By == "document"},
		{Name: "permillion_places", Kind: table.Float, Hidden: true},
	}
}

func (c *CountCommand) printCounts(ctx context.Context, env *command.Env, x *count.Trees, all []*count.Construction) error {
	by, check := c.grouping(x.Store())
	o := c.options(env)
	o.By = by
	counts, err := x.Count(ctx, all, o)
	env.Progress.Close()
	if err == nil {
		err = check()
	}
	if err != nil {
		return err
	}
	err = c.write(env, c.countColumns(x.Store()), "constructions", func(row *table.Row, write func() error) error {
		for i, k := range counts {
			for j := range k.Rows {
				c.fill(row, c.names[i], k, &k.Rows[j])
				if err := write(); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.close(ctx, env, x, counts)
}

// write writes the rows that fillRows makes, up to --limit, and notes how many rows there are in all.
func (c *CountCommand) write(env *command.Env, columns []table.Column, title string, fillRows func(row *table.Row, write func() error) error) error {
	printed, wanted := 0, 0
	err := env.WriteTable(c.OutputFlags, columns, env.Titled(title), func(row *table.Row, write func() error) error {
		return fillRows(row, func() error {
			if wanted++; c.Limit > 0 && printed == c.Limit {
				row.Clear()
				return nil
			}
			printed++
			return write()
		})
	})
	if err == nil {
		noteLimit(env, uint64(printed), uint64(wanted), "rows")
	}
	return err
}

// fill sets the cells for one pattern and one group of samples, such as those of a label.
func (c *CountCommand) fill(row *table.Row, name string, k *count.Counts, r *count.Row) {
	row.SetString(0, name)
	row.SetString(1, r.Group)
	for i, n := range [...]uint64{r.Hits, r.Places, r.Samples} {
		row.SetUint(2+i, n)
	}
	if k.Documents {
		row.SetUint(5, r.Documents)
	}
	row.SetUint(6, r.Words)
	dp, norm := r.DP, r.DPNorm
	if c.By == "document" {
		dp, norm = math.NaN(), math.NaN()
	}
	for i, x := range [...]float64{r.Permillion(), dp, norm, r.PlacesPermillion()} {
		if !math.IsNaN(x) {
			row.SetFloat(7+i, x)
		}
	}
}

func (c *CountCommand) draw(ctx context.Context, env *command.Env, x *count.Trees, all []*count.Construction) error {
	picture := strip{inPage: env.Picture != nil}
	o := c.options(env)
	o.By.Keys = picture.keys
	counts, err := x.Count(ctx, all, o)
	env.Progress.Close()
	if err != nil {
		return err
	}
	_, out, err := env.Open(c.OutputFlags, []output.Format{svgFormat}, "")
	if err != nil {
		return err
	}
	defer out.Abort()
	for i, k := range counts {
		picture.add(c.names[i], k.Rows)
	}
	if err = picture.write(out); err == nil {
		err = out.Commit()
	}
	if err != nil {
		return err
	}
	return c.close(ctx, env, x, counts)
}

// noLemma is what CoNLL-U writes if a word has no lemma.
const noLemma = "_"

// noValues is the warning if every word in the hits has the value noLemma.
const noValues = "no word of a hit has a value there: it is _ throughout"

// printValues prints which words fill each node of the patterns.
func (c *CountCommand) printValues(ctx context.Context, env *command.Env, x *count.Trees, all []*count.Construction) error {
	by := pattern.Form
	if c.By == "lemma" {
		by = pattern.Lemma
	}
	counts, err := x.Find(ctx, all, c.options(env))
	if err != nil {
		return err
	}
	columns := []table.Column{
		{Name: "pattern", Hidden: len(all) == 1},
		{Name: "label", Hidden: x.Store().Meta().Labels == 0},
		{Name: "node", Kind: table.Uint},
		{Name: "value", Whole: true},
		{Name: "hits", Kind: table.Uint},
	}
	known, some := false, false
	err = c.write(env, columns, "words", func(row *table.Row, write func() error) error {
		defer env.Progress.Close()
		for i, k := range counts {
			values, err := x.Values(ctx, k, by, c.options(env))
			if err != nil {
				return err
			}
			for _, v := range values {
				row.SetString(0, c.names[i])
				row.SetString(1, v.Group)
				row.SetUint(2, uint64(v.Node))
				row.SetString(3, v.Value)
				row.SetUint(4, v.Hits)
				some, known = true, known || v.Value != noLemma
				if err := write(); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if some && !known {
		env.Warn("--by %s: %s", c.By, noValues)
	}
	return c.close(ctx, env, x, counts)
}

func (c *CountCommand) close(ctx context.Context, env *command.Env, x *count.Trees, counts []*count.Counts) error {
	if err := noteCounted(ctx, env, x, c.names, counts); err != nil {
		return err
	}
	samples := x.Store().Meta().Samples
	for i, k := range counts {
		if c.Explain {
			env.Note("%s: %s; %s of %s read, %s with hits", c.names[i], k.Bound, index.Thousands(k.Read), index.Plural(samples, "tree"), index.Thousands(k.Match))
		}
	}
	env.Note("%s in %s of %s", index.Plural(len(counts), "pattern"), index.Plural(samples, "sample"), index.Plural(x.Store().Meta().Words, "word"))
	return nil
}
