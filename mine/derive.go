package mine

import (
	"context"
	"fmt"
	"maps"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/mine/query"
	"fstore/store"
)

// DeriveOptions are what Derive does. The zero value of a field is its default.
type DeriveOptions struct {
	FS        vfs.FS // nil: the operating system's
	From      string // the selection to choose from
	Name      string // of the new one
	Overwrite bool   // a selection of that name may be replaced

	// Keep returns what says which entries are chosen.
	Keep func(*query.Selection) (func(*query.Entry) (bool, error), error)
	// Settings are recorded beside those of From.
	Settings map[string]string

	Event func() store.Event // the history entry of the run
}

// Derive makes a selection of a selection: entries stay what they are, and are numbered
// anew. It commits at one point, and returns the line that says what was decided.
func Derive(ctx context.Context, dir string, o DeriveOptions) (decided string, err error) {
	if o.FS == nil {
		o.FS = vfs.Default
	}
	err = writeSelection(dir, o.FS, o.Name, o.Overwrite, o.Event, func(w *store.Writer) (string, error) {
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
		decided = fmt.Sprintf("%s from %s: %s of %s fragments", o.Name, o.From, index.Thousands(n), index.Thousands(all))
		return decided, err
	})
	return decided, err
}
