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

// Keys of the Settings of a selection or model that was made per fold. "The whole" is the one made from all
// samples. A part (see FoldName) was made from the samples outside one fold.
const (
	FoldsSetting   = "folds"    // only of the whole: the number of folds
	DealtSetting   = "dealt"    // of the whole and of its parts: the hash of the folds
	dealtBySetting = "dealt-by" // only of the whole: the flags by which the samples were dealt
	FoldOfSetting  = "fold-of"  // only of a part: the name of the whole
)

// FoldName returns the name of the part of a selection or model that is made for one fold, counted from 0.
func FoldName(name string, fold int) string { return fmt.Sprintf("%s.fold%d", name, fold+1) }

// SampleRange stands for the samples with From ≤ id < To.
type SampleRange struct{ From, To uint32 }

// Options are the folds for selection.RunPerFold and svm.TrainPerFold. They divide the labelled samples or,
// for a selection by gradient from K-best lists, the GoldLists.
type Options struct {
	Folds   Folds
	Samples []SampleRange // the samples or lists of the folds, in the order of Folds
	By      string        // the flags by which the samples were dealt
}

// Check returns an error unless each sample has a fold and there are at least two folds.
func (f *Options) Check() error {
	if len(f.Folds) != len(f.Samples) || f.Folds.Count() < 2 {
		return index.Usagef("per fold: a fold for each labelled sample, or list, and two folds")
	}
	return nil
}

// Whole returns the settings of the selection or model that is made of all samples.
func (f *Options) Whole() map[string]string {
	return map[string]string{FoldsSetting: strconv.Itoa(f.Folds.Count()), DealtSetting: dealt(f.Folds), dealtBySetting: f.By}
}

// Part returns the settings of a part, given the name of the whole.
func (f *Options) Part(name string) map[string]string {
	return map[string]string{FoldOfSetting: name, DealtSetting: dealt(f.Folds)}
}

// DropFolds removes the parts that were made for the folds of the selection or model with this name.
// Selections that were derived from the parts stay.
func DropFolds(m *store.Meta, name string) {
	m.Selections = slices.DeleteFunc(m.Selections, func(s store.SelectionInfo) bool { return FoldNamed(s.Name, s.Settings, name) })
	m.Models = slices.DeleteFunc(m.Models, func(x store.ModelInfo) bool { return FoldNamed(x.Name, x.Settings, name) })
}

// FoldNamed says whether a selection or model with this name and these settings is a part of wholeName.
func FoldNamed(name string, settings map[string]string, wholeName string) bool {
	number, ok := strings.CutPrefix(name, wholeName+".fold")
	_, err := strconv.Atoi(number)
	return ok && err == nil && settings[FoldOfSetting] == wholeName
}

// IsFold says whether a selection was made for one fold of the selection wholeName.
func IsFold(m *store.Meta, name, wholeName string) bool {
	sel := m.Selection(name)
	return sel != nil && FoldNamed(name, sel.Settings, wholeName)
}

// FoldsOf returns the number of folds of a selection that was made per fold. It returns 0 for any other
// selection, or if the selection of a fold is missing.
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

// OfFold says whether a selection or model with these settings was made for one fold.
func OfFold(settings map[string]string) bool { return settings[FoldOfSetting] != "" }

// dealt returns the value of DealtSetting.
func dealt(f Folds) string { return strconv.FormatUint(f.Hash(), 16) }

// In returns the ids of the samples of a fold.
func (f *Options) In(fold int) *roaring.Bitmap {
	in := roaring.New()
	for i, k := range f.Folds {
		if k == fold {
			in.AddRange(uint64(f.Samples[i].From), uint64(f.Samples[i].To))
		}
	}
	return in
}

// MadePerFold says whether a selection or model was made per fold. If a part is missing or other folds were
// used, the error has the given verb, "mined" or "trained".
func MadePerFold(name, verb string, wholeSettings map[string]string, folds Folds, settingsOf func(name string) map[string]string) (bool, error) {
	if wholeSettings[FoldsSetting] == "" {
		return false, nil
	}
	if wholeSettings[DealtSetting] != dealt(folds) {
		return false, fmt.Errorf("was %s per fold, in others than these, or before samples were added or removed: with %s", verb, wholeSettings[dealtBySetting])
	}
	for fold := range folds.Count() {
		part := settingsOf(FoldName(name, fold))
		if part[FoldOfSetting] != name || part[DealtSetting] != dealt(folds) {
			return false, fmt.Errorf("was %s per fold, and %s is not what was %s with it", verb, FoldName(name, fold), verb)
		}
	}
	return true, nil
}
