package look

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"fstore/cli/command"
	"fstore/cli/table"
	"fstore/index"
	"fstore/mine/contrast"
	"fstore/mine/query"
	"fstore/store"
)

func (*ContrastCommand) Help() string {
	return `Prints what sets two corpora apart: the fragments of A at the top, those of B at the bottom, and how sure that is. A # line above table and tsv says what was counted; csv and jsonl have the table alone, a spreadsheet has the line among its properties.

Columns: fragment, order; freq, n (the size of the corpus), permillion, docs (documents that have it) and dpnorm (how unevenly documents have it, weighted by their words: 0 is even, 1 as uneven as can be; Gries 2008, Lijffijt & Gries 2012) of A and B; logratio, log2 of A's relative frequency by B's, and the exact confidence interval logratio_lo, logratio_hi, empty where it is open; lrc, the conservative log ratio: the end of the interval that is nearest to 0, and 0 where that is within; g2, log-likelihood with natural logarithms; pvalue, and that adjusted to all rows, padj; chi2 (X²); bic, |g2| less the logarithm of both sizes; oddsratio; pctdiff, the difference in percent of B. logratio, lrc, g2 and chi2 are negative where B has more. A count of 0 is 0.5 in logratio, in oddsratio and in what pctdiff divides by, and nowhere else.

g2, chi2 and oddsratio are of the 2×2 table, freq against n less freq. Where something can be more often than once a unit, as occurrences per sentence, or some fragment of the table is, all are rates: g2 and chi2 have two cells, and there is no odds ratio. The # line says which.

pvalue is exact and two-sided: the probability, by chance, of |chi2| or more; of the 2×2 table, given its margins; of rates, given freq_A + freq_B. (The tail of χ² is far too small for rare fragments.) It takes what is counted as independent, which the words and sentences of a document are not. With --test documents it is of a permutation test instead: whole documents change sides, each side keeping its number of them, and pvalue is (b+1)/(N+1), b being the permutations of N in which the difference of the rates (freq by n) is at least as large. Where it is certain to be above 0.1, permuting stops after M, and it is (b+1)/(M+1). Where no more than N+1 ways to divide the documents exist, each is taken once, and the # line says how many there are. Documents with samples on both sides are left out, as are samples without a document. Rows that --where leaves out are not tested, unless it names pvalue or padj; padj adjusts to those that are tested.

A table for the eye leaves out n, the interval, pvalue, chi2, bic, oddsratio and pctdiff, but for those that --columns names.

With --adjust bonferroni lrc is as Evert defines it: true of all rows together.

With --pattern or --patterns the rows are constructions, each its own, counted in the trees as count counts them, whatever fragments the store has. One that nowhere occurs has a row of zeros.

A label that begins with - is written as it is where it cannot be a flag, as -1; any other stands after --, as in: fstore contrast demo.store -- -pos -neg

Example:

    fstore contrast demo.store news letter
    fstore contrast demo.store news --count documents --where 'padj < 0.01 && docs_A >= 5' --limit 0 -o news.xlsx
    fstore contrast demo.store news letter --sort g2 --no-distinct
    fstore contrast demo.store --each --families --test documents
    fstore contrast demo.store news,essay letter --pattern '(NP ... (SBAR ...))' --pattern '(S (VP ...))'
    fstore contrast demo.store news letter -o news.svg
    fstore contrast demo.store news --reference other.tsv --reference-size 1000000
`
}

func (c *ContrastCommand) Run(ctx context.Context, env *command.Env) error {
	c.Normalize(&c.A, c.B, &c.Where)
	if c.Test != "documents" {
		if err := env.Needs("--test documents", "permutations", "seed"); err != nil {
			return err
		}
	}
	return env.WithStore(c.Store, 0, func(s *store.Store) error {
		if c.kin() && env.Lent == nil {
			s.HoldUpTo(mostHeld) // each fragment is read several times
		}
		t, patterns, err := c.open(ctx, env, s)
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
		rows.texts.t = t
		found, err := c.count(ctx, env, patterns)
		if err != nil {
			return err
		}
		reference, err := c.reference(ctx, env, t)
		if err != nil {
			return err
		}
		all, err := c.compare(ctx, t, c.options(ctx, env, rows, reference, found))
		if err != nil {
			return err
		}
		each := []*contrastRows{rows}
		for i, k := range all {
			if i > 0 {
				if rows, err = c.rows(env); err != nil {
					break
				}
				each = append(each, rows)
			}
			rows.t, rows.texts.t, rows.examples.t, rows.examples.patterns = k, t, t, patterns
			if c.kin() && rows.brief && k.Holds() {
				rows.held = &heldRows{}
			}
		}
		err = errors.Join(err, c.checkEmpty(each[0]))
		if err == nil {
			err = c.print(ctx, env, each)
		}
		for _, k := range all {
			err = errors.Join(err, k.Close())
		}
		return err
	})
}

// mostHeld is how many bytes of a store a comparison keeps in memory: enough for ten million fragments.
const mostHeld = 256 << 20

func (c *ContrastCommand) compare(ctx context.Context, t *query.Table, o contrast.Options) ([]*contrast.Contrast, error) {
	if c.Each {
		return contrast.NewEach(ctx, t, o)
	}
	k, err := contrast.New(ctx, t, o)
	return []*contrast.Contrast{k}, err
}

func (c *ContrastCommand) rows(env *command.Env) (*contrastRows, error) {
	columns := []table.Column{{Name: "fragment"}}
	if c.comparesPatterns() {
		columns[0].Name = "pattern"
	}
	for _, k := range contrastColumns {
		columns = append(columns, table.Column{Name: k.name, Kind: k.kind})
	}
	always := len(columns) - onDemand
	columns = append(columns, table.Column{Name: exampleColumn}, table.Column{Name: membersColumn})
	label, family := len(columns), len(columns)
	if c.Each {
		columns, family = append(columns, table.Column{Name: "label"}), family+1
	}
	if c.Families {
		columns = append(columns, table.Column{Name: "family", Kind: table.Uint})
	}
	order := table.Order{Column: len(columns), Descending: true} // by rank
	rs, err := newListing(columns[:always], columns[always:], c.Columns, c.Where, c.Sort, order)
	if err != nil {
		return nil, err
	}
	limit := c.Limit
	if c.kin() {
		limit = 0 // which rows are printed is known only when all are sorted
	}
	r := &contrastRows{listing: rs, head: rs.sorter(env, limit)}
	if r.members, err = c.memberSearch(rs); err != nil {
		return nil, err
	}
	r.id = table.Index(columns, "id")
	r.early = rs.usesNamed(columns[fragmentColumn].Name, "id", "occurrences")
	r.brief = c.Limit > 0 && !r.members.isWanted() && !c.comparesPatterns() && !slices.ContainsFunc(dispersionColumns, rs.isUsed)
	if r.examples, err = newExampleSetter(rs); err != nil {
		return nil, err
	}
	if c.Each {
		rs.show(label, true)
		r.label = label
	}
	if c.Families {
		if rs.isUsed(family) {
			return nil, index.Usagef("family is known when all rows are: it is no column of --where")
		}
		rs.show(family, false)
		r.family = family
	}
	switch {
	case c.Sort != "" || c.Each || c.Limit < 2:
	case c.Families:
		up := table.Order{Column: order.Column}
		r.tail = table.NewSorter(rs.width(), up, fragmentColumn, 0, spill(env))
	default:
		r.tail = table.NewTailSorter(rs.width(), order, fragmentColumn, c.Limit/2, spill(env))
	}
	return r, nil
}

// print prints the rows of all comparisons. With --each, each label has a comparison of its own.
func (c *ContrastCommand) print(ctx context.Context, env *command.Env, each []*contrastRows) (err error) {
	defer func() {
		for _, r := range each {
			err = errors.Join(err, r.close())
		}
	}()
	k, header := each[0].t, each[0].printed(c.Columns)
	title := cmp.Or(k.A.Label, "all") + ", " + cmp.Or(k.B.Label, "rest")
	if c.Each {
		title = "each label, rest"
	}
	var picture *scatter
	out, err := env.TableWith(c.OutputFlags, header, func(o *table.Options) {
		env.Titled(title)(o)
		o.Caption = contrastCaption(each)
	}, table.Format{Format: svgFormat, New: func(w io.Writer, columns []table.Column, o table.Options) table.Writer {
		picture = newScatter(w, k, columns, o)
		return picture
	}})
	if err != nil {
		return err
	}
	defer out.Abort()
	if env.Picture != nil && !c.Each {
		picture = newScatter(env.Picture, k, header, table.Options{Caption: contrastCaption(each)})
		picture.inPage = true
		out.Writer = withPicture{out.Writer, picture}
	}
	var printed, wanted uint64
	for _, r := range each {
		r.picture = picture
		if err = r.collect(ctx); err != nil {
			break
		}
		wanted += r.wanted
	}
	env.Progress.Close()
	if err != nil {
		return err
	}
	if !c.Each {
		out.Announce(env, wanted, c.Limit)
	}
	for _, r := range each {
		n, err := c.write(ctx, r, out)
		if err != nil {
			return err
		}
		printed += n
	}
	if err := out.Commit(); err != nil {
		return err
	}
	c.notes(env, each, printed, wanted)
	if out.Format != "table" { // a table shows its caption already
		env.Note("%s", contrastCaption(each))
	}
	return nil
}

// close removes the temporary files of the sorters.
func (r *contrastRows) close() error {
	err := r.head.Close()
	if r.tail != nil {
		err = errors.Join(err, r.tail.Close())
	}
	return err
}

func (c *ContrastCommand) notes(env *command.Env, each []*contrastRows, printed, wanted uint64) {
	both := uint64(0)
	for _, r := range each {
		both += r.t.Both
	}
	if both > 0 {
		env.Warn("%s on both sides, and counted on both", index.Plural(both, "sample"))
	}
	if ref := each[0].t.Options.Reference; ref != nil {
		env.Note("of %s of %s, the store has %s", index.Plural(len(ref.Of), "fragment"), ref.Name, index.Thousands(each[0].t.Known))
	}
	if printed == 0 && c.Where != "" {
		c.noteNone(env, each[0])
	}
	if printed < wanted {
		how, all := "", "--limit 0 prints all"
		switch {
		case c.Families:
			how, all = ", none of them part of another", "without --families, --limit 0 prints all"
		case c.kin():
			how = ", the top of each label, none of them part of another"
		case c.Each:
			how = ", the top of each label"
		case each[0].tail != nil:
			how = ", half from either end"
		}
		env.Note("%s of %s rows%s (%s)", index.Thousands(printed), index.Thousands(wanted), how, all)
	}
	for _, r := range each {
		r.members.note(env)
	}
}

// collect gives the wanted rows to the sorters. It first sets only the columns that --where needs, because
// most rows are not wanted.
func (r *contrastRows) collect(ctx context.Context) error {
	row := table.NewRow(r.width())
	first, others := r.split()
	at := -1
	return r.t.Each(ctx, func(x *contrast.Row) error {
		at++
		row.Clear()
		if r.early {
			if err := r.setName(row, x); err != nil {
				return err
			}
		}
		r.set(row, x, first)
		if r.label > 0 {
			row.SetString(r.label, r.t.A.Label)
		}
		if rank := len(r.columns); r.order.Column == rank {
			row.SetUint(rank, x.Rank)
		}
		ok, err := r.wantsMember(ctx, row, x)
		if err != nil && !r.early && ctx.Err() == nil {
			if err = r.setName(row, x); err == nil {
				_, err = r.wantsMember(ctx, row, x)
			}
		}
		if err != nil || !ok {
			return err
		}
		r.wanted++
		if r.picture != nil {
			r.picture.add(x)
		}
		if r.held != nil {
			r.held.add(at, x)
			return nil
		}
		return r.add(row, x, others)
	})
}

// add sets the remaining columns of a row and gives the row to the sorters, if a sorter admits the row.
func (r *contrastRows) add(row *table.Row, x *contrast.Row, others []int) error {
	head, tail := r.head.Admits(row), r.tail != nil && r.tail.Admits(row)
	if !head && !tail {
		return nil
	}
	if !r.early {
		if err := r.setName(row, x); err != nil {
			return err
		}
	}
	r.set(row, x, others)
	if tail {
		if err := r.tail.Add(row); err != nil {
			return err
		}
	}
	if head {
		return r.head.Add(row)
	}
	return nil
}

func (c *ContrastCommand) write(ctx context.Context, r *contrastRows, out *command.Table) (n uint64, err error) {
	pick := r.examples.writer(ctx, r.picker(out))
	write := func(row *table.Row) error {
		r.members.printed(row)
		if err := r.setDispersion(row); err != nil {
			return err
		}
		return pick(row)
	}
	if c.kin() {
		return c.writeKin(ctx, r, write)
	}
	limit := c.Limit
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
