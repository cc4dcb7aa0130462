package query

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/store"
)

// Entry is a fragment of a selection. A Selection reuses one Entry.
type Entry struct {
	ID            uint32 // feature id in the selection
	Code          index.Code
	Order         int
	Score, Weight float64
	Stats         []float64 // statistics, named by Selection.Info.Columns
}

// Selection gives access to the fragments of a selection. It is for one goroutine.
type Selection struct {
	Space  index.Space
	Info   *store.SelectionInfo
	Labels []string // the labels to which the statistic LabelColumn refers by number

	s    *store.Store
	syms *index.Symbols
	row  Entry
}

// The names of the statistics that several packages use. A selection can have further statistics.
const (
	// SupportColumn and OccurrencesColumn come first. A selection of all features of the objective `gradient`
	// has neither column.
	SupportColumn     = "support"
	OccurrencesColumn = "occurrences"
	// LabelColumn is the index of a label in Selection.Labels.
	LabelColumn = "label"
	// ObservedColumn is the number of samples with the fragment and the label.
	ObservedColumn = "observed"
	// PValueColumn is the p-value of a label's test.
	PValueColumn = "pvalue"
)

// The keys of settings of a selection, in store.SelectionInfo.Settings.
const (
	// SamplesSetting is the number n if the statistics were counted in the first n samples. Otherwise it is
	// not set.
	SamplesSetting = "samples"
	// LabelsSetting is the value of Selection.Labels as a JSON array.
	LabelsSetting = "labels"
	// PValueSetting says how p-values were computed: ExactPValues or TailPValues.
	PValueSetting = "pvalue"
	ExactPValues  = "exact"
	// TailPValues are tails of χ², which are too small for rare labels and rare fragments. Older versions
	// computed them.
	TailPValues = "tail of χ²"
)

// SettingsOf returns a copy of the settings of a selection. If the selection has p-values, the copy has
// PValueSetting.
func SettingsOf(info *store.SelectionInfo) map[string]string {
	settings := map[string]string{}
	maps.Copy(settings, info.Settings)
	if settings[PValueSetting] == "" && slices.Contains(info.Columns, PValueColumn) {
		settings[PValueSetting] = TailPValues
	}
	return settings
}

// Tails reports whether the p-values of the selection are tails of χ².
func (x *Selection) Tails() bool { return SettingsOf(x.Info)[PValueSetting] == TailPValues }

// OpenSelection opens the selection with this name. If no selection has the name, the error is a usage error.
func OpenSelection(s *store.Store, name string) (*Selection, error) {
	info := s.Meta().Selection(name)
	if info == nil {
		var names []string
		for i := range s.Meta().Selections {
			names = append(names, s.Meta().Selections[i].Name)
		}
		if len(names) == 0 {
			return nil, index.Usagef("the store has no selection %s: it has none (fstore mine makes them)", name)
		}
		return nil, index.Usagef("the store has no selection %s: it has %s%s", name, strings.Join(names, ", "), index.FormHint(name, names))
	}
	space, _, err := SpaceOf(s, s.Meta().Spaces[info.Space].ID)
	if err != nil {
		return nil, err
	}
	x := &Selection{Space: space, Info: info, s: s}
	if x.syms, err = s.Symbols(); err != nil {
		return nil, err
	}
	if text := info.Settings[LabelsSetting]; text != "" {
		if err := json.Unmarshal([]byte(text), &x.Labels); err != nil {
			return nil, x.damaged(err)
		}
	}
	return x, nil
}

// Column returns the index of a statistic in Entry.Stats, or -1 if there is no such statistic.
func (x *Selection) Column(name string) int { return slices.Index(x.Info.Columns, name) }

// Text appends the text of a code.
func (x *Selection) Text(dst []byte, c index.Code) []byte { return x.Space.AppendText(dst, c, x.syms) }

// Label returns the label for a value of LabelColumn, or "" if there is none.
func (x *Selection) Label(number float64) string {
	if number >= 0 && number < float64(len(x.Labels)) {
		return x.Labels[int(number)]
	}
	return ""
}

// Each calls f for every entry, in code order, which is also the order of ids.
func (x *Selection) Each(ctx context.Context, f func(*Entry) error) error {
	return x.s.Entries(x.Info.Name, 1, x.Info.Features+1, func(id uint32, e *store.Entry) error {
		if id%lookEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := x.Space.Check(e.Code, x.syms); err != nil {
			return x.damaged(err)
		}
		x.row = Entry{id, e.Code, e.Code.Len(), e.Score, e.Weight, e.Stats}
		return f(&x.row)
	})
}

func (x *Selection) damaged(err error) error {
	return &store.Error{Dir: x.s.Dir(), Kind: store.ErrDamaged, Detail: "selection " + x.Info.Name, Err: err}
}

// OpenExpansion opens the expansion index of the selection's fragments and checks its checksum. The caller
// closes the index before the store.
func (x *Selection) OpenExpansion() (*expansion.Index, error) {
	return OpenVerifiedExpansion(x.s, x.Info.Expansion, x.Info.Features)
}

// OpenVerifiedExpansion is like OpenExpansion, but also checks the checksum of the file. A wrong checksum
// gives the error of a damaged store.
func OpenVerifiedExpansion(s *store.Store, file string, features uint32) (*expansion.Index, error) {
	x, err := OpenExpansion(s, file, features)
	if err != nil {
		return nil, err
	}
	if err := x.Verify(); err != nil {
		return nil, errors.Join(DamagedExpansion(s, err), x.Close())
	}
	return x, nil
}

// OpenExpansion opens a file of the store as an expansion index, without checking the checksum. A wrong file
// gives the error of a damaged store.
func OpenExpansion(s *store.Store, file string, features uint32) (*expansion.Index, error) {
	x, err := expansion.Open(s.FS(), s.Path(file))
	switch {
	case err != nil && expansion.IsDamage(err):
		return nil, DamagedExpansion(s, err)
	case err != nil:
		return nil, fmt.Errorf("%s: expansion index: %w", s.Dir(), err)
	}
	if x.Features() != features {
		return nil, errors.Join(DamagedExpansion(s, errors.New("it has another number of features")), x.Close())
	}
	return x, nil
}

// DamagedExpansion returns the error for an unusable expansion index of s.
func DamagedExpansion(s *store.Store, err error) error {
	return &store.Error{Dir: s.Dir(), Kind: store.ErrDamaged, Detail: "expansion index", Err: err}
}

// DamagedModel returns the error for an unusable model of s.
func DamagedModel(s *store.Store, name string, err error) error {
	return &store.Error{Dir: s.Dir(), Kind: store.ErrDamaged, Detail: fmt.Sprintf("model %q", name), Err: err}
}
