package look

import (
	"context"
	"errors"
	"slices"
	"strings"

	"fstore/cli/command"
	"fstore/cli/table"
	"fstore/decode/read"
	"fstore/index"
	"fstore/mine/contrast"
	"fstore/mine/query"
)

// kin reports whether only the best fragment of each family is printed (see contrast.Kin).
func (c *ContrastCommand) kin() bool {
	return c.Families || c.Each && c.isDistinct() && c.Limit > 0 && c.Sort == ""
}

// errEnough ends a loop over sorted rows when no more rows are wanted.
var errEnough = errors.New("enough rows")

// writeKin writes the rows of the best fragments of families (see contrast.Kin), and returns their number. If
// r.tail is set, the rows are from both ends.
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

// heads returns the first rows whose fragments are not parts of one another, among the rows that are more
// frequent in A (sign 1) or in B (sign -1).
func (c *ContrastCommand) heads(ctx context.Context, r *contrastRows, s *table.Sorter, limit int, sign float64) (rows []*table.Row, err error) {
	kin := contrast.NewKin(r.texts.t, limit)
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

// sortedHeads does the work of the method `heads` if the rows come from the sorter s.
func (c *ContrastCommand) sortedHeads(ctx context.Context, r *contrastRows, s *table.Sorter, kin *contrast.Kin, sign float64) (rows []*table.Row, err error) {
	logratio := table.Index(r.columns, "logratio")
	_, err = eachSorted(ctx, s, func(row *table.Row) error {
		// Rows that are more frequent in A (sign 1) or in B (sign -1) come first.
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

// documentTest returns the test for --test documents, or nil without this flag. Where possible, the test
// skips rows that --where leaves out.
func (c *ContrastCommand) documentTest(ctx context.Context, r *contrastRows) *contrast.DocumentTest {
	if c.Test != "documents" {
		return nil
	}
	test := &contrast.DocumentTest{Permutations: c.Permutations, Seed: c.Seed}
	if r.filter == nil || r.members.isWanted() || r.usesNamed("pvalue", "padj") {
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

// reference reads the file of --reference, if there is one.
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

func (c *ContrastCommand) options(ctx context.Context, env *command.Env, rows *contrastRows, reference *contrast.Reference, found []contrast.Construction) contrast.Options {
	minDocs := command.Given(c.MinDocs)
	if c.MinDocs != nil && minDocs == 0 {
		minDocs = -1 // in contrast.Options the number 0 means the default
	}
	return contrast.Options{
		Reference: reference, Constructions: found,
		Documents: c.documentTest(ctx, rows),
		A:         c.A, B: command.Given(c.B), Count: contrast.Unit(c.Count), Per: contrast.Unit(c.Per), MinDocs: minDocs,
		Adjust: contrast.Adjust(c.Adjust), Confidence: c.Confidence, All: !c.Distinct,
		Members: rows.members.isWanted(), Brief: rows.brief,
		Progress: env.Progress, FS: env.FS, TempDir: env.TempDir(),
	}
}

// heldHeads does the work of the method `heads` for rows in memory, that is, in r.held.
func (c *ContrastCommand) heldHeads(ctx context.Context, r *contrastRows, kin *contrast.Kin, sign int8) (rows []*table.Row, err error) {
	looked := 0
	err = r.held.eachRank(sign, func(some []heldRow) error {
		ends := slices.ContainsFunc(some, func(h heldRow) bool { return h.sign != sign })
		if len(some) > 1 && (ends || !kin.IsFull()) {
			if some, err = r.sortedByText(some); err != nil {
				return err
			}
		}
		for _, h := range some {
			if looked++; looked&0xFFF == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if h.sign != sign || !c.Families && kin.IsFull() {
				return errEnough
			}
			row, err := r.addHead(kin, h)
			if row != nil {
				rows = append(rows, row)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return rows, err
}

// addHead adds the fragment of a row to kin. It returns the whole row if the fragment becomes a head (see
// contrast.Kin), else nil.
func (r *contrastRows) addHead(kin *contrast.Kin, h heldRow) (*table.Row, error) {
	x, err := r.t.At(int(h.at))
	if err != nil {
		return nil, err
	}
	if kin.IsFull() {
		if may, err := kin.MayGo(x.Order, x.Posting()); !may || err != nil {
			return nil, err
		}
	}
	if err := x.Settle(); err != nil {
		return nil, err
	}
	isHead, err := kin.AddCode(x.Code)
	if !isHead || err != nil {
		return nil, err
	}
	row := table.NewRow(r.width())
	r.texts.set(row, x.Row)
	first, others := r.split()
	r.set(row, x, first)
	r.set(row, x, others)
	if r.label > 0 {
		row.SetString(r.label, r.t.A.Label)
	}
	return row, nil
}

func (r *contrastRows) sortedByText(some []heldRow) ([]heldRow, error) {
	texts := make(map[uint32]string, len(some))
	for _, h := range some {
		x, err := r.t.At(int(h.at))
		if err == nil {
			err = x.Settle()
		}
		if err != nil {
			return nil, err
		}
		texts[h.at] = string(r.texts.t.Text(nil, x.Code))
	}
	return slices.SortedFunc(slices.Values(some), func(a, b heldRow) int {
		return strings.Compare(texts[a.at], texts[b.at])
	}), nil
}
