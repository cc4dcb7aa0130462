package look

import (
	"context"

	"fstore/cli/command"
	"fstore/cli/table"
	"fstore/mine/contrast"
	"fstore/mine/count"
	"fstore/mine/query"
	"fstore/store"
)

// patternRows are the constructions that contrast compares instead of fragments.
type patternRows struct {
	x      *count.Trees
	all    []*count.Construction
	names  []string
	counts []*count.Counts
}

// open opens what is compared: the fragments of a space, or constructions of the trees.
func (c *ContrastCommand) open(ctx context.Context, env *command.Env, s *store.Store) (*query.Table, *patternRows, error) {
	if !c.comparesPatterns() {
		t, err := query.Open(s, c.Space)
		return t, nil, err
	}
	x, err := count.Open(s, c.Space)
	if err != nil {
		return nil, nil, err
	}
	p := &patternRows{x: x}
	if p.all, p.names, err = constructions(ctx, env, x, c.Patterns, c.PatternsFile, &c.TextFlags); err != nil {
		return nil, nil, err
	}
	t, err := query.OpenSamples(s)
	return t, p, err
}

// count counts the constructions, and says which of their names no sample has. It returns nil where
// fragments are compared.
func (c *ContrastCommand) count(ctx context.Context, env *command.Env, p *patternRows) (all []contrast.Construction, err error) {
	if p == nil {
		return nil, nil
	}
	unit := contrast.Unit(c.Count)
	o := count.Options{Progress: env.Progress, HitsOnly: unit != "" && unit != contrast.Places}
	if p.counts, err = p.x.Find(ctx, p.all, o); err != nil {
		return nil, err
	}
	for i, k := range p.counts {
		found := contrast.Construction{Name: p.names[i]}
		found.IDs, found.Hits, found.Places = k.Samples()
		all = append(all, found)
	}
	return all, noteNames(ctx, env, p.x, p.names, p.counts)
}

// setName sets the first column: the text of a fragment, or the name of a construction.
func (r *contrastRows) setName(row *table.Row, x *contrast.Row) {
	if x.Code == nil {
		row.SetString(fragmentColumn, x.Name)
		return
	}
	r.texts.set(row, x.Row)
}
