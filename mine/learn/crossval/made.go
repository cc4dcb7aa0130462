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

// Keys of the settings of a selection or a model that was made per fold, in store.SelectionInfo.Settings or
// store.ModelInfo.Settings. The parts made outside of its folds, which are named FoldName(name, 0) and so on,
// have them too.
const (
	FoldsSetting   = "folds"    // the number of folds
	DealtSetting   = "dealt"    // the hash of the folds, see dealt
	dealtBySetting = "dealt-by" // how the samples were dealt, as flags
	FoldOfSetting  = "fold-of"  // of a part made for a fold: the name of the whole
)

// FoldName returns the name of the part that was made outside of a fold, from 0. name is that of the whole.
func FoldName(name string, fold int) string { return fmt.Sprintf("%s.fold%d", name, fold+1) }

// SampleRange is the samples From ≤ id < To.
type SampleRange struct{ From, To uint32 }

// Options are the folds of selection.RunPerFold and svm.TrainPerFold. They divide the labelled samples.
// Selection by gradient in a store with K-best lists divides the lists with a gold tree instead (GoldLists).
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

// Whole returns the settings of a selection or a model of all samples.
func (f *Options) Whole() map[string]string {
	return map[string]string{FoldsSetting: strconv.Itoa(f.Folds.Count()), DealtSetting: dealt(f.Folds), dealtBySetting: f.By}
}

// Part returns the settings of a part made outside of one fold. name is that of the whole.
func (f *Options) Part(name string) map[string]string {
	return map[string]string{FoldOfSetting: name, DealtSetting: dealt(f.Folds)}
}

// DropFolds removes the parts that were made for the folds of a selection or a model that is to be replaced.
// Selections that were derived from these parts stay.
func DropFolds(m *store.Meta, name string) {
	m.Selections = slices.DeleteFunc(m.Selections, func(s store.SelectionInfo) bool { return FoldNamed(s.Name, s.Settings, name) })
	m.Models = slices.DeleteFunc(m.Models, func(x store.ModelInfo) bool { return FoldNamed(x.Name, x.Settings, name) })
}

// FoldNamed says whether a selection or a model is a part of the one called whole that was made for a fold,
// and has the name of that fold. settings are its own.
func FoldNamed(name string, settings map[string]string, whole string) bool {
	number, ok := strings.CutPrefix(name, whole+".fold")
	_, err := strconv.Atoi(number)
	return ok && err == nil && settings[FoldOfSetting] == whole
}

// IsFold says whether the selection called name is such a part of the one called whole (FoldNamed).
func IsFold(m *store.Meta, name, whole string) bool {
	sel := m.Selection(name)
	return sel != nil && FoldNamed(name, sel.Settings, whole)
}

// FoldsOf returns the number of folds that a selection was mined in, or 0 if the selection of some fold is
// gone.
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

// dealt identifies folds in settings, by their hash.
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

// MadePerFold returns an error unless the selection or the model called name was made in these folds,
// together with its parts. whole are its settings, and settings returns those of another name. made is
// "mined" or "trained", for messages.
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
