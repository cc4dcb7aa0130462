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
	"fstore/mine/association"
	"fstore/mine/contrast"
	"fstore/mine/query"
	"fstore/store"
)

// Help is kong's hook.
func (*ContrastCommand) Help() string {
	return `Prints what sets two corpora apart: the fragments of A at the top, those of B at the bottom, and how sure that is. A # line above table and tsv says what was counted; csv and jsonl have the table alone, a spreadsheet has the line among its properties.

Columns: fragment, order; freq, n (the size of the corpus), permillion and docs (documents that have it) of A and B; logratio, log2 of A's relative frequency by B's, and the exact confidence interval logratio_lo, logratio_hi, empty where it is open; lrc, the conservative log ratio: the end of the interval that is nearest to 0, and 0 where that is within; g2, log-likelihood with natural logarithms; pvalue, and that adjusted to all rows, padj; chi2 (X²); bic, |g2| less the logarithm of both sizes; oddsratio; pctdiff, the difference in percent of B. logratio, lrc, g2 and chi2 are negative where B has more. A count of 0 is 0.5 in logratio, in oddsratio and in what pctdiff divides by, and nowhere else.

g2, chi2 and oddsratio are of the 2×2 table, freq against n less freq. Where something can be more often than once a unit, as occurrences per sentence, or some fragment of the table is, all are rates: g2 and chi2 have two cells, and there is no odds ratio. The # line says which.

pvalue is exact and two-sided: the probability, by chance, of |chi2| or more; of the 2×2 table, given its margins; of rates, given freq_A + freq_B. (The tail of χ² is far too small for rare fragments.) It takes what is counted as independent, which the words and sentences of a document are not; --count documents is the careful choice.

A table for the eye leaves out n, the interval, pvalue, chi2, bic, oddsratio and pctdiff, but for those that --columns names.

With --adjust bonferroni lrc is as Evert defines it: true of all rows together.

A label that begins with - is written as it is where it cannot be a flag, as -1; any other stands after --, as in: fstore contrast demo.store -- -pos -neg

Example:

    fstore contrast demo.store news letter
    fstore contrast demo.store news --count documents --where 'padj < 0.01 && docs_A >= 5' --limit 0 -o news.xlsx
    fstore contrast demo.store news letter --sort g2 --no-distinct
`
}

// Run is kong's hook.
func (c *ContrastCommand) Run(ctx context.Context, env *command.Env) error {
	c.Normalize(&c.A, &c.B, &c.Where)
	return env.WithStore(c.Store, 0, func(s *store.Store) error {
		t, err := query.Open(s, c.Space)
		if err != nil {
			return err
		}
		rows, err := c.rows(env)
		if err == nil && s.Meta().Documents == 0 {
			err = c.documentsNeeded(rows)
		}
		if err != nil {
			return err // before millions of fragments are counted
		}
		k, err := contrast.New(ctx, t, contrast.Options{
			A: c.A, B: c.B, Count: contrast.Unit(c.Count), Per: contrast.Unit(c.Per),
			Adjust: contrast.Adjust(c.Adjust), Confidence: c.Confidence, All: !c.Distinct,
			Members:  rows.members.isWanted(),
			Progress: env.Progress, FS: env.FS, TempDir: env.TempDir(),
		})
		if err != nil {
			return err
		}
		rows.t, rows.texts.t = k, t
		err = c.checkEmpty(rows)
		if err == nil {
			err = c.print(ctx, env, rows)
		}
		return errors.Join(err, k.Close())
	})
}

// rows makes what the flags say of the rows.
func (c *ContrastCommand) rows(env *command.Env) (*contrastRows, error) {
	columns := []table.Column{{Name: "fragment"}}
	for _, k := range contrastColumns {
		columns = append(columns, table.Column{Name: k.name, Kind: k.kind})
	}
	always := len(columns) - onDemand
	columns = append(columns, table.Column{Name: membersColumn})
	order := table.Order{Column: len(columns), Descending: true} // by rank
	rs, err := newListing(columns[:always], columns[always:], c.Columns, c.Where, c.Sort, order)
	if err != nil {
		return nil, err
	}
	r := &contrastRows{listing: rs, early: rs.uses(fragmentColumn, fragmentColumn+1), head: rs.sorter(env, c.Limit)}
	if r.members, err = c.memberSearch(rs); err != nil {
		return nil, err
	}
	if c.Sort == "" && c.Limit > 1 {
		r.tail = table.NewTailSorter(rs.width(), order, fragmentColumn, c.Limit/2)
	}
	return r, nil
}

// print prints the rows.
func (c *ContrastCommand) print(ctx context.Context, env *command.Env, r *contrastRows) error {
	k := r.t
	header := r.header()
	for i := range header {
		name := header[i].Name
		header[i].Hidden = slices.Contains(contrastDetails, name) && !slices.Contains(c.Columns, name) ||
			!k.Documents && (name == "docs_A" || name == "docs_B")
	}
	out, err := env.TableWith(c.OutputFlags, header, func(o *table.Options) {
		env.Titled(k.A.Label + ", " + cmp.Or(k.B.Label, "rest"))(o)
		o.Caption = caption(k)
	})
	if err != nil {
		return err
	}
	defer out.Abort()
	err = r.collect(ctx)
	env.Progress.Close()
	if err != nil {
		return errors.Join(err, r.head.Close())
	}
	out.Announce(env, r.wanted, c.Limit)
	printed, err := r.write(ctx, out, c.Limit)
	if err == nil {
		err = out.Commit()
	}
	if err != nil {
		return err
	}
	if k.Both > 0 {
		env.Warn("%s on both sides, and counted on both", index.Plural(k.Both, "sample"))
	}
	if printed == 0 && c.Where != "" {
		env.Note("no row fits %s", c.Where)
	}
	if printed < r.wanted {
		from := ""
		if r.tail != nil {
			from = ", half from either end"
		}
		env.Note("%s of %s rows%s (--limit 0 prints all)", index.Thousands(printed), index.Thousands(r.wanted), from)
	}
	r.members.note(env)
	if out.Format != "table" { // which is read with its caption
		env.Note("%s", caption(k))
	}
	return nil
}

// collect gives the wanted rows to the sorters.
func (r *contrastRows) collect(ctx context.Context) error {
	row := table.NewRow(r.width())
	rank := len(r.columns)
	return r.t.Each(ctx, func(x *contrast.Row) error {
		row.Clear()
		for i, k := range contrastColumns {
			k.set(row, i+1, x, r.t)
		}
		if r.order.Column == rank {
			row.SetUint(rank, x.Rank)
		}
		if r.early {
			r.texts.set(row, x.Row)
		}
		ok, err := r.wantsMember(ctx, row, x)
		if err != nil && !r.early && ctx.Err() == nil {
			r.texts.set(row, x.Row)
			_, err = r.wantsMember(ctx, row, x)
		}
		if err != nil || !ok {
			return err
		}
		r.wanted++
		head, tail := r.head.Admits(row), r.tail != nil && r.tail.Admits(row)
		if !r.early && (head || tail) {
			r.texts.set(row, x.Row)
		}
		if tail {
			if err := r.tail.Add(row); err != nil {
				return err
			}
		}
		if head {
			return r.head.Add(row)
		}
		return nil
	})
}

// write writes the rows, of which limit are wanted, and returns how many there were.
func (r *contrastRows) write(ctx context.Context, out *command.Table, limit int) (n uint64, err error) {
	pick := r.picker(out)
	write := func(row *table.Row) error {
		r.members.printed(row)
		return pick(row)
	}
	if r.tail == nil || r.wanted <= uint64(limit) {
		return eachSorted(ctx, r.head, write)
	}
	first, left := limit-limit/2, limit-limit/2
	_, err = eachSorted(ctx, r.head, func(row *table.Row) error {
		if left == 0 {
			return nil
		}
		left--
		return write(row)
	})
	if err == nil {
		n, err = eachSorted(ctx, r.tail, write)
	}
	return uint64(first) + n, err
}

// caption says what the numbers are: the corpora, the units, and among how many rows
// p-values are adjusted.
func caption(c *contrast.Contrast) string {
	o := &c.Options
	rest := "B the rest"
	if c.B.Label != "" {
		rest = "B " + c.B.Label
	}
	rows := fmt.Sprintf("%s of %s, distinct", index.Plural(c.Rows, "row"), index.Plural(c.Fragments, "fragment"))
	if o.All {
		rows = index.Plural(c.Rows, "row")
	}
	of := "2×2 tables"
	if !c.Shares {
		of = "rates"
	}
	return fmt.Sprintf("%s per %s: A %s %s, %s %s; %s; g2 and chi2 of %s; pvalue exact; padj %s, confidence %v; 0 counts %v in ratios",
		o.Count, o.Per, c.A.Label, index.Thousands(c.A.N), rest, index.Thousands(c.B.N), rows, of, o.Adjust, o.Confidence, association.Half)
}
