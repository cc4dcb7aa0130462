package look

import (
	"context"
	"errors"
	"math"
	"slices"

	"fstore/cli/command"
	"fstore/cli/table"
	"fstore/index"
	"fstore/mine/association"
	"fstore/mine/learn/classes"
	"fstore/mine/query"
)

// measure is a measure of association and the name of its column.
type measure[T any] struct {
	name string
	of   func(T) float64
}

func measureColumns[T any](measures []measure[T]) (columns []table.Column) {
	for _, m := range measures {
		columns = append(columns, table.Column{Name: m.name, Kind: table.Float})
	}
	return columns
}

// associationColumns measure the 2×2 table of samples: with and without the fragment, with and without a
// label.
var associationColumns = []measure[association.Table]{
	{"chi2", association.Table.ChiSquared},
	{"pvalue", association.Table.Exact},
	{"g2", association.Table.G2},
	{"pmi", association.Table.PMI},
	{"logdice", association.Table.LogDice},
	{"logodds", association.Table.LogOdds},
}

// labelledSamples has what associationColumns need: a label, and counts of samples.
type labelledSamples struct {
	label        int     // index in Table.Labels
	samples, all float64 // number of samples with the label, and of all samples
}

// positive returns the label of --positive, with its counts of samples. Without the flag, the store must have
// two labels, and the first is taken.
func (c *QueryCommand) positive(ctx context.Context, t *query.Table) (_ *labelledSamples, err error) {
	label := c.Positive
	switch {
	case label != "":
		if label, err = t.FindLabel(label); err != nil {
			return nil, err
		}
	case len(t.Labels) == 2:
		label = t.Labels[0]
	case len(t.Labels) == 0:
		return nil, index.Usagef("association with a label, and the store has none: build it with --label-from or --labels-file")
	default:
		return nil, index.Usagef("association with which label? The store has %s: name one with --positive (%s)", index.Plural(len(t.Labels), "label"), classes.List(t.Labels))
	}
	samples, err := t.LabelSamples(ctx)
	if err != nil {
		return nil, err
	}
	i := slices.Index(t.Labels, label)
	return &labelledSamples{label: i, samples: float64(samples[i]), all: float64(t.Store().Meta().Samples)}, nil
}

// checkPositive returns an error if --positive is set but no column needs it.
func (l *fragmentList) checkPositive(positive string) error {
	if positive == "" || l.needs(l.association, l.inside) || l.needs(l.model, l.spread) {
		return nil
	}
	return index.Usagef("--positive has no effect here: it is for the columns of association (chi2, pvalue, g2, pmi, logdice, logodds), and for --model")
}

// addLabels adds the counts of all labels to l, and the associationColumns that are needed.
func (c *QueryCommand) addLabels(ctx context.Context, _ *command.Env, l *fragmentList) (err error) {
	l.labels = l.uses(firstLabelColumn, l.id) || l.uses(l.association, l.inside)
	var a *labelledSamples
	if l.needs(l.association, l.inside) {
		if a, err = c.positive(ctx, l.t); err != nil {
			return err
		}
	}
	l.cells = append(l.cells, cells{l.labels, func(r *query.Row) error {
		if err := l.t.CountLabels(r); err != nil {
			return err
		}
		for i, n := range r.ByLabel {
			l.row.SetUint(firstLabelColumn+i, uint64(n))
		}
		if a == nil {
			return nil
		}
		both, with := float64(r.ByLabel[a.label]), float64(r.Support)
		x := association.Table{O11: both, O12: with - both, O21: a.samples - both, O22: a.all - a.samples - with + both}
		for i, k := range associationColumns {
			if at := l.association + i; l.needs(at, at+1) { // pvalue takes longest
				l.row.SetFloat(at, k.of(x))
			}
		}
		return nil
	}})
	return nil
}

// insideColumns compare how often a fragment occurs with how often its nodes occur. They use no label.
var insideColumns = []measure[association.Nodes]{
	{"inside_pmi", association.Nodes.MI},
	{"inside_logdice", association.Nodes.LogDice},
	{"inside_g2", association.Nodes.G2},
}

// nodesFor counts the nodes of the trees. If the space does not label its nodes, the error names wantedBy:
// the flag or the columns that need the nodes.
func nodesFor(ctx context.Context, t *query.Table, wantedBy string) (*query.Nodes, error) {
	n, err := t.Nodes(ctx)
	if errors.Is(err, query.ErrNoNodes) {
		return nil, index.Usagef("%s: %v", wantedBy, err)
	}
	return n, err
}

// addInside adds insideColumns to l if one is needed.
func addInside(ctx context.Context, _ *command.Env, l *fragmentList) error {
	if !l.needs(l.inside, l.model) {
		return nil
	}
	nodes, err := nodesFor(ctx, l.t, "inside_pmi, inside_logdice, inside_g2")
	l.add(l.inside, l.model, func(r *query.Row) error {
		x := nodes.Association(r.Code, uint64(r.Occurrences))
		for i, k := range insideColumns {
			v := k.of(x)
			if math.IsInf(v, 0) {
				v = math.NaN()
			}
			setNumber(l.row, l.inside+i, v)
		}
		return nil
	})
	return err
}

// addModel adds the column `weight` or relevance to l if one is needed.
func (c *QueryCommand) addModel(ctx context.Context, env *command.Env, l *fragmentList) error {
	if l.model == l.spread { // no columns of models
		return nil
	}
	relevance, weight := l.needs(l.model, l.model+1), l.needs(l.model+1, l.model+2)
	if relevance && weight {
		return index.Usagef("the columns relevance and weight are of different models")
	}
	w, err := c.modelWeights(ctx, env, l.t.Store(), relevance, weight)
	if w == nil {
		return err
	}
	at := l.model
	if weight {
		at++
	}
	l.add(at, at+1, func(r *query.Row) error {
		l.row.SetFloat(at, w.Of[r.ID-1])
		return nil
	})
	return nil
}

// spreadColumns returns the columns `places`, `places:LABEL`, `dp` and `dpnorm`.
func spreadColumns(t *query.Table) []table.Column {
	all := []table.Column{{Name: "places", Kind: table.Uint}}
	for _, label := range t.Labels {
		all = append(all, table.Column{Name: "places:" + label, Kind: table.Uint})
	}
	return append(all, table.Column{Name: "dp", Kind: table.Float}, table.Column{Name: "dpnorm", Kind: table.Float})
}

// addSpread adds spreadColumns to l if one is needed. If the store lacks their data, it returns a usage
// error.
func addSpread(ctx context.Context, env *command.Env, l *fragmentList) (err error) {
	t, first, dp := l.t, l.spread, l.spread+1+len(l.t.Labels)
	if !l.needs(first, dp+2) {
		return nil
	}
	if l.needs(first, dp) && !t.HasPlaces() {
		return index.Usagef("places: %v", query.ErrNoPlaces(t))
	}
	var documents *query.Documents
	if l.needs(dp, dp+2) {
		if documents, err = t.Documents(ctx, env.Progress); err != nil {
			return err
		}
		if documents == nil {
			return index.Usagef("dp, dpnorm: the store has no documents: build it with --document-from")
		}
	}
	byLabel := l.needs(first+1, dp)
	var ids, counts, places []uint32
	var sums []uint64
	l.add(first, dp+2, func(r *query.Row) error {
		if ids, counts, places, err = t.WithPlaces(r, ids[:0], counts[:0], places[:0]); err != nil {
			return err
		}
		total := uint64(0)
		for _, n := range places {
			total += uint64(n)
		}
		l.row.SetUint(first, total)
		if byLabel {
			if sums, err = t.SumByLabel(sums, ids, places); err != nil {
				return err
			}
			for i, n := range sums {
				l.row.SetUint(first+1+i, n)
			}
		}
		if documents != nil {
			d := documents.Dispersion(ids, counts)
			setNumber(l.row, dp, d.DP())
			setNumber(l.row, dp+1, d.DPNorm())
		}
		return nil
	})
	return nil
}

// setNumber sets a cell, or leaves it empty if x is NaN.
func setNumber(row *table.Row, at int, x float64) {
	if math.IsNaN(x) {
		row.SetEmpty(at)
	} else {
		row.SetFloat(at, x)
	}
}
