package selection

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"fstore/index"
	"fstore/mine/learn/crossval"
	"fstore/mine/query"
	"fstore/store"
)

// DeriveOptions are the options of Derive. The zero value of a field is its default.
type DeriveOptions struct {
	From      string // the selection to choose from; "": the stored fragments of Space
	Space     string // name or ID of a space, if From is ""; "": the store's only space
	Name      string // name of the new selection
	Overwrite bool   // a selection of that name may be replaced
	// Model is the name of the model for which the selection is made, see NameFor. "" means no model.
	Model string

	// Keep chooses among the entries of the selection From. Without From, KeepStored chooses among the stored
	// fragments. Its result `labels` says whether the choice depends on labels.
	Keep       func(*query.Selection) (func(*query.Entry) (bool, error), error)
	KeepStored func(*query.Table) (each func(func(*query.Row) error) error, labels bool, err error)
	// Settings are recorded in addition to the settings of From.
	Settings map[string]string
}

// Derive makes a selection from another one, or from the stored fragments of a space. It returns the line
// that says what was decided. Fragments from a selection keep their data, such as scores, but get new ids.
// Fold selections of the original are derived too.
func Derive(ctx context.Context, w *store.Writer, o DeriveOptions) (decided string, err error) {
	if err := CheckName(w.Meta(), o.Name, o.Overwrite); err != nil {
		return "", err
	}
	settings := map[string]string{}
	maps.Copy(settings, o.Settings)
	if o.Settings = settings; o.Model != "" {
		o.Settings[MadeForSetting] = o.Model
	}
	if o.From == "" {
		return deriveStored(ctx, w, &o)
	}
	folds := crossval.FoldsOf(w.Meta(), o.From)
	if crossval.IsFold(w.Meta(), o.From, o.Name) {
		return "", index.Usagef("%s is of a fold of %s", o.From, o.Name)
	}
	if o.From != o.Name {
		crossval.DropFolds(w.Meta(), o.Name)
	}
	for fold := range folds {
		part := o
		part.From, part.Name = crossval.FoldName(o.From, fold), crossval.FoldName(o.Name, fold)
		part.Settings = map[string]string{crossval.FoldOfSetting: o.Name}
		maps.Copy(part.Settings, o.Settings)
		if err := CheckName(w.Meta(), part.Name, o.From == o.Name || o.Overwrite && o.Model == ""); err != nil {
			return "", err
		}
		if _, err := deriveSelection(ctx, w, &part); err != nil {
			return "", err
		}
	}
	return deriveSelection(ctx, w, &o)
}

// deriveSelection derives one selection, without its fold selections.
func deriveSelection(ctx context.Context, w *store.Writer, o *DeriveOptions) (decided string, err error) {
	from, err := query.OpenSelection(w.Store(), o.From)
	if err != nil {
		return "", err
	}
	keep, err := o.Keep(from)
	if err != nil {
		return "", err
	}
	info := *from.Info
	info.Name, info.Settings = o.Name, map[string]string{}
	maps.Copy(info.Settings, from.Info.Settings)
	delete(info.Settings, NormShareSetting) // it was the norm share of all of From
	delete(info.Settings, MadeForSetting)
	info.Settings["from"] = o.From
	maps.Copy(info.Settings, o.Settings)
	n, all := uint64(0), info.Features
	err = WriteEntries(ctx, w, from.Space, info, func(put func(*store.Entry) error) error {
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

func deriveStored(ctx context.Context, w *store.Writer, o *DeriveOptions) (decided string, err error) {
	t, err := query.Open(w.Store(), o.Space)
	if err != nil {
		return "", err
	}
	each, labels, err := o.KeepStored(t)
	if err != nil {
		return "", err
	}
	settings := map[string]string{query.SamplesSetting: strconv.FormatUint(uint64(w.Store().Meta().Samples), 10)}
	maps.Copy(settings, o.Settings)
	if labels {
		settings[ChosenBySetting] = "labels"
	}
	info := store.SelectionInfo{
		Name: o.Name, Space: t.Info.Number, By: BySupport,
		Columns: []string{query.SupportColumn, query.OccurrencesColumn}, Settings: settings,
	}
	n := uint64(0)
	err = WriteEntries(ctx, w, t.Space, info, func(put func(*store.Entry) error) error {
		return each(func(r *query.Row) error {
			n++
			return put(&store.Entry{Code: r.Code, Score: float64(r.Support), Stats: []float64{float64(r.Support), float64(r.Occurrences)}})
		})
	})
	return fmt.Sprintf("selection %s from space %s: %s of %s", o.Name, t.Info.ID, index.Thousands(n), index.Plural(t.Info.Features, "fragment")), err
}

// MadeForSetting is the setting of a selection that was made for a model. Its value is the name of the model.
const MadeForSetting = "made-for"

// NameFor returns the first free name of MODEL.suffix, MODEL.suffix2, MODEL.suffix3 and so on. The name of a
// selection for this model also counts as free (see madeFor).
func NameFor(m *store.Meta, model, suffix string) string {
	name := model + "." + suffix
	for n := 2; ; n++ {
		sel := m.Selection(name)
		if m.Model(name) == nil && (sel == nil || madeFor(m, sel, model)) {
			return name
		}
		name = fmt.Sprintf("%s.%s%d", model, suffix, n)
	}
}

// madeFor says whether a selection was made for a model, and no other model uses the selection or one of its
// folds.
func madeFor(m *store.Meta, sel *store.SelectionInfo, model string) bool {
	if sel.Settings[MadeForSetting] != model {
		return false
	}
	for i := range m.Models {
		x := &m.Models[i]
		if over := m.Selection(x.Selection); x.Name != model && over != nil && (over.Name == sel.Name || crossval.FoldNamed(over.Name, over.Settings, sel.Name)) {
			return false
		}
	}
	return true
}

// DropMadeFor removes the selections that were made for a model, with their fold selections. It keeps
// keptName, and selections that another model uses.
func DropMadeFor(m *store.Meta, model, keptName string) {
	for _, sel := range slices.Clone(m.Selections) {
		if sel.Name != keptName && !crossval.OfFold(sel.Settings) && madeFor(m, &sel, model) {
			crossval.DropFolds(m, sel.Name)
			m.Selections = slices.DeleteFunc(m.Selections, func(s store.SelectionInfo) bool { return s.Name == sel.Name })
		}
	}
}
