package mine

import (
	"context"
	"fmt"
	"maps"

	"fstore/index"
	"fstore/mine/query"
	"fstore/store"
)

// DeriveOptions are what Derive does. The zero value of a field is its default.
type DeriveOptions struct {
	From      string // the selection to choose from
	Name      string // of the new one
	Overwrite bool   // a selection of that name may be replaced

	// Keep returns what says which entries are chosen.
	Keep func(*query.Selection) (func(*query.Entry) (bool, error), error)
	// Settings are recorded beside those of From.
	Settings map[string]string
}

// Derive makes a selection of a selection: entries stay what they are, and are numbered
// anew. It puts it into the pending meta of a writer, and returns the line that says what
// was decided.
func Derive(ctx context.Context, w *store.Writer, o DeriveOptions) (decided string, err error) {
	if err := checkName(w.Meta(), o.Name, o.Overwrite); err != nil {
		return "", err
	}
	from, err := query.OpenSelection(w.Store(), o.From)
	if err != nil {
		return "", err
	}
	keep, err := o.Keep(from)
	if err != nil {
		return "", err
	}
	info := *from.Info
	info.Name, info.Settings = o.Name, maps.Clone(info.Settings)
	if info.Settings == nil {
		info.Settings = map[string]string{}
	}
	delete(info.Settings, normShareSetting) // it was that of all of From
	info.Settings["from"] = o.From
	maps.Copy(info.Settings, o.Settings)
	n, all := uint64(0), info.Features
	err = writeEntries(ctx, w, from.Space, info, func(put func(*store.Entry) error) error {
		return from.Each(ctx, func(e *query.Entry) error {
			ok, err := keep(e)
			if err != nil || !ok {
				return err
			}
			n++
			return put(&store.Entry{Code: e.Code, Score: e.Score, Weight: e.Weight, Stats: e.Stats})
		})
	})
	return fmt.Sprintf("selection %s from %s: %s of %s", o.Name, o.From, index.Thousands(n), index.Plural(all, "fragment")), err
}
