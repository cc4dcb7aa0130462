package look

import (
	"context"
	"errors"
	"slices"
	"strings"

	"fstore/cli/command"
	"fstore/cli/table"
	"fstore/index"
	"fstore/index/glob"
	"fstore/index/pattern"
	"fstore/mine/count"
	"fstore/mine/query"
)

func (c *QueryCommand) list(ctx context.Context, env *command.Env, t *query.Table, of query.Filter) error {
	l, err := c.openList(ctx, env, t, of)
	if err != nil {
		return err
	}
	n, _, err := l.printSorted(ctx, env, c.OutputFlags, c.Limit, "fragments", l.examples, func(s *table.Sorter) (uint64, error) {
		err := l.collect(ctx, env, s)
		return l.wanted, err
	})
	if err != nil {
		return err
	}
	c.closing(env, l, n)
	return c.noteUnstored(ctx, env, l)
}

// noteUnstored prints how many hits the pattern has in the trees, because the list has only stored fragments.
func (c *QueryCommand) noteUnstored(ctx context.Context, env *command.Env, l *fragmentList) error {
	if l.of.Pattern == nil || env.Quiet {
		return nil
	}
	x, err := count.Open(l.t.Store(), c.Space)
	if err != nil {
		return err
	}
	k, err := x.Parse(*c.Fragment)
	var wrong *pattern.Error
	if errors.As(err, &wrong) || err == nil && x.EitherSide() != "" {
		return nil // only the space can read this pattern, or the pattern means something else in the space
	}
	if err != nil {
		return err
	}
	found, err := x.Find(ctx, []*count.Construction{k}, count.Options{Progress: env.Progress})
	env.Progress.Close()
	if err != nil {
		return err
	}
	hits, _, samples := found[0].Total()
	// With "..." in the pattern, one match can be part of another, so the sum of all occurrences says
	// nothing.
	adds := !strings.Contains(*c.Fragment, glob.Rest) && c.Contains == nil && c.Within == nil && c.Where == "" && c.Order == orderRange{} && !c.conditions
	in := index.Plural(hits, "hit") + " in " + index.Plural(samples, "sample")
	switch {
	case c.conditions:
		env.Note("conditions are on words in the trees, and stored fragments have none: count finds %s", in)
	case adds && hits > l.occurrences:
		why := "of fragments that are not stored"
		if span := l.t.ActiveSpan(); span != "" {
			why += ", or of dependents further apart than " + span
		}
		env.Note("count finds %s: %s %s", in, index.Thousands(hits-l.occurrences), why)
	case !adds:
		env.Note("count finds %s", in)
	}
	return nil
}

// closing prints the notes that come after the n printed rows of a list.
func (c *QueryCommand) closing(env *command.Env, l *fragmentList, n uint64) {
	noteLimit(env, n, l.wanted, "fragments")
	if n == 0 {
		pattern := ""
		if l.of.Pattern != nil {
			pattern = *c.Fragment
		}
		hint := l.t.Hint(pattern)
		if len(l.of.Or) > 0 || c.conditions {
			hint = "" // Hint can read only a single pattern without conditions
		}
		env.Note("no stored fragment fits: %s%s%s", l.t.Stored(), hint, index.MayBeOther(c.Where))
	}
	if l.of.Pattern != nil {
		noteLiteral(env, l.t, *c.Fragment)
	}
	if n > 0 {
		noteHeads(env, l.t)
	}
}

// noteLiteral prints how to write a stored fragment whose text is also a pattern.
func noteLiteral(env *command.Env, t *query.Table, pattern string) {
	if !query.IsWild(pattern) {
		return
	}
	c, err := t.Parse(pattern)
	if err != nil {
		return
	}
	if _, err = t.Get(c); err == nil {
		env.Note(`%s is taken as a pattern: for the one fragment that is spelt so, write \x5F for _ and \x2E.. for ...`, pattern)
	}
}

// noteHeads prints a note if > in fragments does not tell on which side of its head a word is.
func noteHeads(env *command.Env, t *query.Table) {
	if says := t.EitherSide(); says != "" {
		env.Note("%s", says)
	}
}

// openList returns a list with all columns, or an error if --positive has no effect.
func (c *QueryCommand) openList(ctx context.Context, env *command.Env, t *query.Table, of query.Filter) (*fragmentList, error) {
	l, err := c.newList(ctx, env, t, of, modelColumns)
	if err == nil {
		err = l.checkPositive(c.Positive)
	}
	return l, err
}

// newList returns a list with the columns in `model`, which is modelColumns or nil.
func (c *QueryCommand) newList(ctx context.Context, env *command.Env, t *query.Table, of query.Filter, model []table.Column) (*fragmentList, error) {
	always, more := fragmentColumns(t)
	l := &fragmentList{t: t, of: of, orders: c.Order, texts: fragmentTexts{t: t}, id: len(always)}
	l.association = l.id + 1
	l.inside = l.association + len(associationColumns)
	l.model = l.inside + len(insideColumns)
	l.spread = l.model + len(model)
	more = slices.Concat(more, measureColumns(associationColumns), measureColumns(insideColumns), model, spreadColumns(t), []table.Column{{Name: exampleColumn}})
	var err error
	l.listing, err = newListing(always, more, c.Columns, c.Where, c.Sort, table.Order{Column: supportColumn, Descending: true})
	if err != nil {
		return nil, err
	}
	l.row = table.NewRow(len(l.columns))
	if l.examples, err = newExampleSetter(l.listing); err != nil {
		return nil, err
	}
	l.examples.t = t
	for _, add := range []func(context.Context, *command.Env, *fragmentList) error{addSpread, c.addLabels, addInside, c.addModel} {
		if err := add(ctx, env, l); err != nil {
			return nil, err
		}
	}
	if l.ranks, err = c.ranks(ctx, l); err != nil {
		return nil, err
	}
	l.textEarly = l.filter != nil && slices.Contains(l.filter.Uses(), fragmentColumn) || l.ranks == nil && l.order.Column == fragmentColumn
	l.cells = append(l.cells, cells{l.textEarly, func(r *query.Row) error {
		l.texts.set(l.row, r)
		return nil
	}})
	l.orderEarly = l.orders != orderRange{} || l.isUsed(orderColumn)
	return l, nil
}

// ranks returns the rank of each fragment by its text, or nil if ranks would not save time.
func (c *QueryCommand) ranks(ctx context.Context, l *fragmentList) ([]uint32, error) {
	if c.Limit == 0 || 2*c.Limit >= int(l.t.Info.Features) || l.order.Column != fragmentColumn && l.order.Column != orderColumn {
		return nil, nil
	}
	return l.t.TextRanks(ctx)
}
