package look

import (
	"context"
	"math"

	"fstore/cli/command"
	"fstore/cli/table"
	"fstore/cli/usage"
	"fstore/mine/query"
)

// spread sets the columns that say where in the samples a fragment is: places, in all and by
// label, and its dispersion over documents.
type spread struct {
	t              *query.Table
	first          int // the first of the columns
	uses, needs    bool
	labels         bool             // places by label are needed
	documents      *query.Documents // nil: no dispersion is needed
	ids            []uint32
	counts, places []uint32
	byLabel        []uint64
}

// spreadColumns are, after those of places, dp and dpnorm.
func spreadColumns(t *query.Table) []table.Column {
	all := []table.Column{{Name: "places", Kind: table.Uint}}
	for _, label := range t.Labels {
		all = append(all, table.Column{Name: "places:" + label, Kind: table.Uint})
	}
	return append(all, table.Column{Name: "dp", Kind: table.Float}, table.Column{Name: "dpnorm", Kind: table.Float})
}

// newSpread returns nil where none of the columns is used. Places that the store does not tell,
// and documents that it does not know, are wrong usage.
func newSpread(ctx context.Context, env *command.Env, rows *listing, t *query.Table, first int) (*spread, error) {
	dp := first + 1 + len(t.Labels)
	s := &spread{t: t, first: first, uses: rows.uses(first, dp+2), needs: rows.needs(first, dp+2)}
	if !s.needs {
		return nil, nil
	}
	s.labels = rows.needs(first+1, dp)
	if rows.needs(first, dp) && !t.HasPlaces() {
		return nil, usage.Errorf("places: %v", query.ErrNoPlaces(t))
	}
	if !rows.needs(dp, dp+2) {
		return s, nil
	}
	var err error
	if s.documents, err = t.Documents(ctx, env.Progress); err == nil && s.documents == nil {
		err = usage.Errorf("dp, dpnorm: the store has no documents: build it with --document-from")
	}
	return s, err
}

// set sets the cells of a row if they are needed early, to tell whether it is wanted, or later.
func (s *spread) set(row *table.Row, r *query.Row, early bool) (err error) {
	if s == nil || s.uses != early {
		return nil
	}
	if s.ids, s.counts, s.places, err = s.t.WithPlaces(r, s.ids[:0], s.counts[:0], s.places[:0]); err != nil {
		return err
	}
	total := uint64(0)
	for _, n := range s.places {
		total += uint64(n)
	}
	row.SetUint(s.first, total)
	if s.labels {
		if s.byLabel, err = s.t.SumByLabel(s.byLabel, s.ids, s.places); err != nil {
			return err
		}
		for i, n := range s.byLabel {
			row.SetUint(s.first+1+i, n)
		}
	}
	if s.documents == nil {
		return nil
	}
	at := s.first + 1 + len(s.t.Labels)
	d := s.documents.Dispersion(s.ids, s.counts)
	setNumber(row, at, d.DP())
	setNumber(row, at+1, d.DPNorm())
	return nil
}

// setNumber sets a cell, which is empty where x is no number.
func setNumber(row *table.Row, at int, x float64) {
	if math.IsNaN(x) {
		row.SetEmpty(at)
	} else {
		row.SetFloat(at, x)
	}
}
