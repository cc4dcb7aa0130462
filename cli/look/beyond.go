package look

import (
	"context"
	"errors"
	"strings"

	"fstore/cli/command"
	"fstore/index"
	"fstore/index/glob"
	"fstore/index/pattern"
	"fstore/mine/count"
	"fstore/mine/query"
)

// beyond prints a note with the number of hits that the command count finds for the pattern of a list,
// because the list itself has only stored fragments.
func (c *QueryCommand) beyond(ctx context.Context, env *command.Env, l *list) error {
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
	// Fragments that match a pattern with "..." are parts of each other, so their occurrences cannot be added
	// up.
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

// counted returns the page of a fragment that is not stored. Its numbers are counted in the trees. If no tree
// has the fragment, the result is the error absent.
func (c *QueryCommand) counted(ctx context.Context, env *command.Env, t *query.Table, code index.Code, absent error) (*query.Page, error) {
	x, err := count.Open(t.Store(), c.Space)
	if err != nil {
		return nil, err
	}
	k, err := x.Parse(*c.Fragment)
	if err != nil || k.Fragment == nil {
		return nil, absent
	}
	found, err := x.Count(ctx, []*count.Construction{k}, count.Options{Progress: env.Progress})
	env.Progress.Close()
	if err != nil {
		return nil, err
	}
	hits, _, samples := found[0].Total()
	if hits == 0 {
		return nil, absent
	}
	p := &query.Page{Row: &query.Row{Code: code, Order: code.Len(), Support: uint32(samples), Occurrences: uint32(hits)}}
	for _, r := range found[0].Rows[1:] {
		p.Row.ByLabel = append(p.Row.ByLabel, uint32(r.Samples))
	}
	if len(p.Row.ByLabel) == 0 {
		p.Row.ByLabel = make([]uint32, len(t.Labels))
	}
	if p.Parts, err = t.Parts(code); err != nil {
		return nil, err
	}
	if p.Expansions, err = t.Expansions(ctx, code); err != nil {
		return nil, err
	}
	p.AllExpansions = len(p.Expansions)
	if top := c.Limit; top > 0 && len(p.Expansions) > top {
		p.Expansions = p.Expansions[:top]
	}
	return p, nil
}
