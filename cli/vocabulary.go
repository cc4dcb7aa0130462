package cli

import (
	"context"

	"fstore/cli/output"
	"fstore/cli/table"
	"fstore/decode"
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
	t, err := query.Open(s, c.Space)
	if err != nil {
		return err
	}
	w := table.New(format, out, vocabularyColumns, table.Options{})
	defer table.Discard(w)
	row := table.NewRow(len(vocabularyColumns))
	var text []byte
	err = t.Each(ctx, nil, nil, false, func(r *query.Row) error {
		text = t.Text(text[:0], r.Code)
		row.Clear()
		row.SetUint(0, uint64(r.ID))
		row.SetText(1, text)
		row.SetUint(2, uint64(r.Order))
		row.SetUint(3, uint64(r.Support))
		row.SetFloat(4, l.Value(r.Code))
		return w.Write(row)
	})
	if err != nil {
		return err
	}
	return w.Close()
}
