package look

import (
	"context"
	"errors"
	"slices"

	"fstore/cli/command"
	"fstore/cli/table"
	"fstore/decode/read"
	"fstore/index"
	"fstore/mine/contrast"
	"fstore/mine/query"
)

// kin says whether no printed row is part of another.
func (c *ContrastCommand) kin() bool {
	return c.Families || c.Each && c.isDistinct() && c.Limit > 0 && c.Sort == ""
}

// errEnough ends the reading of a sorter: what follows is not wanted.
var errEnough = errors.New("enough rows")

// writeKin writes rows of which none is part of another: of --each the first of A, else half from
// either end, as far as a side has more of them. It returns how many there were.
func (c *ContrastCommand) writeKin(ctx context.Context, r *contrastRows, write func(*table.Row) error) (n uint64, err error) {
	head, tail := c.Limit, 0
	if r.tail != nil {
		head, tail = c.Limit-c.Limit/2, c.Limit/2
	}
	first, err := c.heads(ctx, r, r.head, head, 1)
	var last []*table.Row
	if r.tail != nil && err == nil {
		last, err = c.heads(ctx, r, r.tail, tail, -1)
	}
	slices.Reverse(last)
	for _, row := range append(first, last...) {
		if err == nil {
			err = write(row)
			n++
		}
	}
	return n, err
}

// heads returns the first rows, at most so many, of which none is part of another. s has the rows in
// order unless they are held. All are more frequent on the side of sign. With --families they have the
// number of those that go with them.
func (c *ContrastCommand) heads(ctx context.Context, r *contrastRows, s *table.Sorter, most int, sign float64) (rows []*table.Row, err error) {
	kin := contrast.NewKin(r.texts.t, most)
	if r.held != nil {
		rows, err = c.heldHeads(ctx, r, kin, int8(sign))
	} else {
		rows, err = c.sortedHeads(ctx, r, s, kin, sign)
	}
	if errors.Is(err, errEnough) {
		err = nil
	}
	if r.family > 0 {
		for i, row := range rows {
			row.SetUint(r.family, kin.Heads[i].Family)
		}
	}
	return rows, err
}

// sortedHeads is heads of rows that s has.
func (c *ContrastCommand) sortedHeads(ctx context.Context, r *contrastRows, s *table.Sorter, kin *contrast.Kin, sign float64) (rows []*table.Row, err error) {
	logratio := table.Index(r.columns, "logratio")
	_, err = eachSorted(ctx, s, func(row *table.Row) error {
		// Rows come by lrc, and what is not sure by G²: all of one sign are together.
		if row.Float(logratio)*sign <= 0 || !c.Families && kin.IsFull() {
			return errEnough
		}
		isHead, err := kin.Add(string(row.Text(fragmentColumn)))
		if isHead {
			own := new(table.Row)
			row.CopyTo(own)
			rows = append(rows, own)
		}
		return err
	})
	return rows, err
}

// documentTest is --test documents, nil without. Rows that --where leaves out are not tested, if it
// can tell without p-values and without members, which are read once.
func (c *ContrastCommand) documentTest(ctx context.Context, r *contrastRows) *contrast.DocumentTest {
	if c.Test != "documents" {
		return nil
	}
	test := &contrast.DocumentTest{Permutations: c.Permutations, Seed: c.Seed}
	for _, name := range []string{"pvalue", "padj"} {
		if i := table.Index(r.columns, name); r.uses(i, i+1) {
			return test
		}
	}
	if r.filter == nil || r.members.isWanted() {
		return test
	}
	row := table.NewRow(r.width())
	test.Wanted = func(k *contrast.Contrast, x *contrast.Row) (bool, error) {
		row.Clear()
		for i, column := range contrastColumns {
			column.set(row, i+1, x, k)
		}
		if r.early {
			if err := r.setName(row, x); err != nil {
				return false, err
			}
		}
		if r.label > 0 {
			row.SetString(r.label, k.A.Label)
		}
		return r.wants(ctx, row)
	}
	return test
}

// reference reads --reference, nil without.
func (c *ContrastCommand) reference(ctx context.Context, env *command.Env, t *query.Table) (*contrast.Reference, error) {
	if c.Reference == "" {
		return nil, nil
	}
	f, err := read.OpenFile(ctx, c.Reference, env.Stdin)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	ref, absent, err := contrast.ReadReference(t, f, f.Name, contrast.Unit(c.Count))
	if err != nil {
		return nil, err
	}
	ref.Size = c.ReferenceSize
	if absent > 0 {
		env.Note("%s of %s left out: no sample has all of their names", index.Plural(absent, "fragment"), f.Name)
	}
	return ref, nil
}

// options say what is compared.
func (c *ContrastCommand) options(ctx context.Context, env *command.Env, rows *contrastRows, reference *contrast.Reference, found []contrast.Construction) contrast.Options {
	return contrast.Options{
		Reference: reference, Constructions: found,
		Documents: c.documentTest(ctx, rows),
		A:         c.A, B: command.Given(c.B), Count: contrast.Unit(c.Count), Per: contrast.Unit(c.Per), MinDocs: c.minDocs(),
		Adjust: contrast.Adjust(c.Adjust), Confidence: c.Confidence, All: !c.Distinct,
		Members: rows.members.isWanted(), Brief: rows.brief,
		Progress: env.Progress, FS: env.FS, TempDir: env.TempDir(),
	}
}
