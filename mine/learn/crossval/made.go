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

// The keys, in store.SelectionInfo.Settings and store.ModelInfo.Settings, of a selection or a model that was
// made per fold. Such a selection or model has a part for each fold, made of the samples outside of the fold.
// The parts are named FoldName(name, 0) and so on, and have these keys too.
const (
	FoldsSetting   = "folds"    // the number of folds
	DealtSetting   = "dealt"    // the hash of the folds, as the function dealt returns it
	dealtBySetting = "dealt-by" // how the samples were dealt, as flags
	FoldOfSetting  = "fold-of"  // only in a part: the name of the whole selection or model
)

// FoldName returns the name of the part that was made outside of a fold. Folds are numbered from 0. The
// parameter name is the name of the whole selection or model.
func FoldName(name string, fold int) string { return fmt.Sprintf("%s.fold%d", name, fold+1) }

// SampleRange stands for the samples with From ≤ id < To.
type SampleRange struct{ From, To uint32 }

// Options are the folds of selection.RunPerFold and svm.TrainPerFold. The folds divide the labelled samples.
// But for a selection by gradient in a store with K-best lists, they divide the lists with a gold tree
// (GoldLists).
type Options struct {
	Folds   Folds
	Samples []SampleRange // the samples or lists of the folds, in the order of Folds
	By      string        // how the samples were dealt, in words
}

// Check returns an error unless each sample has a fold and there are at least two folds.
func (f *Options) Check() error {
	if len(f.Folds) != len(f.Samples) || f.Folds.Count() < 2 {
		return index.Usagef("per fold: a fold for each labelled sample, or list, and two folds")
	}
	return nil
}

// Whole returns the settings of the selection or the model that is made of all samples.
func (f *Options) Whole() map[string]string {
	return map[string]string{FoldsSetting: strconv.Itoa(f.Folds.Count()), DealtSetting: dealt(f.Folds), dealtBySetting: f.By}
}

// Part returns the settings of a part made outside of one fold. The parameter name is the name of the whole
// selection or model.
func (f *Options) Part(name string) map[string]string {
	return map[string]string{FoldOfSetting: name, DealtSetting: dealt(f.Folds)}
}

// DropFolds removes the parts of the selection or model called name, which is to be replaced. Selections that
// were derived from these parts stay.
func DropFolds(m *store.Meta, name string) {
	m.Selections = slices.DeleteFunc(m.Selections, func(s store.SelectionInfo) bool { return FoldNamed(s.Name, s.Settings, name) })
	m.Models = slices.DeleteFunc(m.Models, func(x store.ModelInfo) bool { return FoldNamed(x.Name, x.Settings, name) })
}

// FoldNamed says whether the selection or model called name is a part, for some fold, of the selection or
// model called whole, and has the name that FoldName gives to that part. The parameter settings has the
// settings of name.
func FoldNamed(name string, settings map[string]string, whole string) bool {
	number, ok := strings.CutPrefix(name, whole+".fold")
	_, err := strconv.Atoi(number)
	return ok && err == nil && settings[FoldOfSetting] == whole
}

// IsFold says whether the selection called name is such a part of the selection called whole (see FoldNamed).
func IsFold(m *store.Meta, name, whole string) bool {
	sel := m.Selection(name)
	return sel != nil && FoldNamed(name, sel.Settings, whole)
}

// FoldsOf returns the number of folds that a selection was mined in. It returns 0 if the selection of a fold
// no longer exists.
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

// OfFold says whether a selection or a model with these settings is a part that was made outside of a fold.
func OfFold(settings map[string]string) bool { return settings[FoldOfSetting] != "" }

// dealt returns the hash of folds as text, which identifies the folds in settings.
func dealt(f Folds) string { return strconv.FormatUint(f.Hash(), 16) }

// In returns the samples of a fold.
func (f *Options) In(fold int) *roaring.Bitmap {
	in := roaring.New()
	for i, k := range f.Folds {
		if k == fold {
			in.AddRange(uint64(f.Samples[i].From), uint64(f.Samples[i].To))
		}
	}
	return in
}

// MadePerFold says whether the selection or the model called name was made per fold. If so, it returns an
// error if the folds were others, or if a part does not belong to it. The parameter whole has the settings of
// name, and the function settings returns the settings of a part. The parameter made is "mined" or "trained",
// for messages.
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
