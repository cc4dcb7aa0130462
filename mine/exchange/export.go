// Package exchange copies selections from one store to another: [Export] writes a selection to a file, and
// [Import] reads such a file. Package portable defines the format of the file.
package exchange

import (
	"context"
	"io"
	"maps"

	"fstore/index/spaces"
	"fstore/mine/exchange/portable"
	"fstore/mine/query"
	"fstore/mine/selection"
	"fstore/store"
)

// Export writes a selection of a store to w, in the format of package portable. If no selection has the name,
// the error is an *index.UsageError.
func Export(ctx context.Context, s *store.Store, name string, w io.Writer) error {
	sel, err := query.OpenSelection(s, name)
	if err != nil {
		return err
	}
	i := sel.Info
	settings := maps.Clone(i.Settings)
	delete(settings, selection.MadeForSetting)
	out, err := portable.NewWriter(w, &portable.Header{
		Space: spaces.RecordID(sel.Space.ID()), By: i.By, Settings: settings,
		Vocabulary: i.VocabularyHash, Fragments: uint64(i.Features), Columns: i.Columns,
	})
	if err != nil {
		return err
	}
	var text []byte
	err = sel.Each(ctx, func(e *query.Entry) error {
		text = sel.Text(text[:0], e.Code)
		return out.Write(&portable.Row{Fragment: string(text), Score: e.Score, Weight: e.Weight, Stats: e.Stats})
	})
	if err != nil {
		return err
	}
	return out.Flush()
}
