package cli

import (
	"context"

	"fstore/cli/output"
	"fstore/cli/table"
	"fstore/decode"
	"fstore/index"
	"fstore/mine/query"
	"fstore/store"
)

var vocabularyColumns = []table.Column{
	{Name: "id", Kind: table.Uint},
	{Name: "fragment"},
	{Name: "order", Kind: table.Uint},
	{Name: "support", Kind: table.Uint},
	{Name: "weight", Kind: table.Float},
}

// writeVocabulary lists the features, in order of their ids.
func (c *linearizeCommand) writeVocabulary(ctx context.Context, s *store.Store, l *decode.Linearizer, out output.Sink) error {
	format, err := output.Pick(table.OutputFormats(), "", c.Vocabulary, table.Fallback(false), false)
	if err != nil {
		return err
	}
	w := table.New(format, out, vocabularyColumns, table.Options{})
	defer table.Discard(w)
	row := table.NewRow(len(vocabularyColumns))
	feature := func(id uint32, text []byte, order int, support uint64, code index.Code) error {
		row.Clear()
		row.SetUint(0, uint64(id))
		row.SetText(1, text)
		row.SetUint(2, uint64(order))
		row.SetUint(3, support)
		row.SetFloat(4, l.Value(code))
		return w.Write(row)
	}
	if err := c.eachFeature(ctx, s, feature); err != nil {
		return err
	}
	return w.Close()
}

// eachFeature calls f for the features, in order of their ids.
func (c *linearizeCommand) eachFeature(ctx context.Context, s *store.Store, f func(id uint32, text []byte, order int, support uint64, code index.Code) error) error {
	var text []byte
	if c.Selection != "" {
		sel, err := query.OpenSelection(s, c.Selection)
		if err != nil {
			return err
		}
		support := sel.Column(query.SupportColumn)
		return sel.Each(ctx, func(e *query.Entry) error {
			text = sel.Text(text[:0], e.Code)
			return f(e.ID, text, e.Order, uint64(e.Stats[support]), e.Code)
		})
	}
	t, err := query.Open(s, c.Space)
	if err != nil {
		return err
	}
	return t.Each(ctx, nil, nil, false, func(r *query.Row) error {
		text = t.Text(text[:0], r.Code)
		return f(r.ID, text, r.Order, uint64(r.Support), r.Code)
	})
}
