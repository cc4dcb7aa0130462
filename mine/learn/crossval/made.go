package crossval

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
	"fstore/store"
)

// Settings of a selection or a model that was made per fold, in store.SelectionInfo.Settings
// or store.ModelInfo.Settings, and of those made outside of its folds, FoldName(name, 0) and
// so on.
const (
	FoldsSetting   = "folds"    // how many
	DealtSetting   = "dealt"    // crossval.Folds.Hash of the labelled samples
	dealtBySetting = "dealt-by" // flags
	FoldOfSetting  = "fold-of"  // of a fold's: the name of the whole
)

// FoldName is the name of what was mined or trained outside of a fold, from 0, of the
// selection or model of this name.
func FoldName(name string, fold int) string { return fmt.Sprintf("%s.fold%d", name, fold+1) }

// SampleRange is the samples From ≤ id < To.
type SampleRange struct{ From, To uint32 }

// Options are the folds of selection.RunPerFold and svm.TrainPerFold: of the labelled samples, or, by
// gradient, of the K-best lists that have a gold tree (GoldLists), where a store has such.
type Options struct {
	Folds   Folds
	Samples []SampleRange // what is dealt out, side by side with Folds
	By      string        // how it was dealt, in words
}

// Check says whether something can be made per fold.
func (f *Options) Check() error {
	if len(f.Folds) != len(f.Samples) || f.Folds.Count() < 2 {
		return index.Usagef("per fold: a fold for each labelled sample, or list, and two folds")
	}
	return nil
}

// Whole is the settings of what was made of all samples.
func (f *Options) Whole() map[string]string {
	return map[string]string{FoldsSetting: strconv.Itoa(f.Folds.Count()), DealtSetting: dealt(f.Folds), dealtBySetting: f.By}
}

// Part is the settings of what was made outside of one fold of what is named name.
func (f *Options) Part(name string) map[string]string {
	return map[string]string{FoldOfSetting: name, DealtSetting: dealt(f.Folds)}
}

// DropFolds removes what was mined or trained outside of the folds of a selection or a model,
// which is to be another one; selections that were derived of a fold's stay.
func DropFolds(m *store.Meta, name string) {
	m.Selections = slices.DeleteFunc(m.Selections, func(s store.SelectionInfo) bool { return FoldNamed(s.Name, s.Settings, name) })
	m.Models = slices.DeleteFunc(m.Models, func(x store.ModelInfo) bool { return FoldNamed(x.Name, x.Settings, name) })
}

// FoldNamed says whether a selection or a model of these settings is of a fold of the one that is
// called whole, and has that fold's name.
func FoldNamed(name string, settings map[string]string, whole string) bool {
	number, ok := strings.CutPrefix(name, whole+".fold")
	_, err := strconv.Atoi(number)
	return ok && err == nil && settings[FoldOfSetting] == whole
}

// IsFold says whether a selection is of a fold of another.
func IsFold(m *store.Meta, name, whole string) bool {
	sel := m.Selection(name)
	return sel != nil && FoldNamed(name, sel.Settings, whole)
}

// FoldsOf is in how many folds a selection was mined, 0 where a fold's is no longer there.
func FoldsOf(m *store.Meta, name string) int {
	sel := m.Selection(name)
	if sel == nil {
		return 0
	}
	n, _ := strconv.Atoi(sel.Settings[FoldsSetting])
	for fold := range n {
		if part := m.Selection(FoldName(name, fold)); part == nil || part.Settings[FoldOfSetting] != name {
			return 0
		}
	}
	return n
}

// OfFold says whether a selection or a model with these settings is a part of one that was
// made per fold.
func OfFold(settings map[string]string) bool { return settings[FoldOfSetting] != "" }

// dealt names folds.
func dealt(f Folds) string { return strconv.FormatUint(f.Hash(), 16) }

// In are the samples of a fold.
func (f *Options) In(fold int) *roaring.Bitmap {
	in := roaring.New()
	for i, k := range f.Folds {
		if k == fold {
			in.AddRange(uint64(f.Samples[i].From), uint64(f.Samples[i].To))
		}
	}
	return in
}

// MadePerFold says whether the selection or the model of a name was made in these folds. whole are
// its settings, and settings returns those of another name. made is "mined" or "trained", for
// errors: it was made in other folds, or what has the name of a fold's was not made with it.
func MadePerFold(name, made string, whole map[string]string, folds Folds, settings func(name string) map[string]string) (bool, error) {
	if whole[FoldsSetting] == "" {
		return false, nil
	}
	if whole[DealtSetting] != dealt(folds) {
		return false, fmt.Errorf("was %s per fold, in others than these, or before samples were added or removed: with %s", made, whole[dealtBySetting])
	}
	for fold := range folds.Count() {
		part := settings(FoldName(name, fold))
		if part[FoldOfSetting] != name || part[DealtSetting] != dealt(folds) {
			return false, fmt.Errorf("was %s per fold, and %s is not what was %s with it", made, FoldName(name, fold), made)
		}
	}
	return true, nil
}
