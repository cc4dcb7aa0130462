package look

import (
	"context"
	"math"

	"fstore/cli/command"
	"fstore/cli/table"
	"fstore/index"
	"fstore/mine/query"
)

// spreadColumns returns the columns of places, then dp and dpnorm.
func spreadColumns(t *query.Table) []table.Column {
	all := []table.Column{{Name: "places", Kind: table.Uint}}
	for _, label := range t.Labels {
		all = append(all, table.Column{Name: "places:" + label, Kind: table.Uint})
	}
	return append(all, table.Column{Name: "dp", Kind: table.Float}, table.Column{Name: "dpnorm", Kind: table.Float})
}

// addSpread adds spreadColumns if one of them is needed. These columns say where in the samples a fragment
// is. If the store lacks the places or documents that they need, addSpread returns a usage error.
func addSpread(ctx context.Context, env *command.Env, l *list) (err error) {
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
