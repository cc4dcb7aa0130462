package mine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
	"fstore/mine/crossval"
	"fstore/store"
)

// Settings of a selection or a model that was made per fold, in store.SelectionInfo.Settings
// or store.ModelInfo.Settings, and of those made outside of its folds, FoldName(name, 0) and
// so on.
const (
	foldsSetting   = "folds"    // how many
	dealtSetting   = "dealt"    // crossval.Folds.Hash of the labelled samples
	dealtBySetting = "dealt-by" // flags
	foldOfSetting  = "fold-of"  // of a fold's: the name of the whole
)

// FoldName is the name of what was mined or trained outside of a fold, from 0, of the
// selection or model of this name.
func FoldName(name string, fold int) string { return fmt.Sprintf("%s.fold%d", name, fold+1) }

// SampleRange is the samples From ≤ id < To.
type SampleRange struct{ From, To uint32 }

// FoldOptions are the folds of SelectPerFold and TrainPerFold: of the labelled samples, or, by
// gradient, of the K-best lists that have a gold tree (GoldLists), where a store has such.
type FoldOptions struct {
	Folds   crossval.Folds
	Samples []SampleRange // what is dealt out, side by side with Folds
	By      string        // how it was dealt, in words
}

// check says whether something can be made per fold.
func (f *FoldOptions) check() error {
	if len(f.Folds) != len(f.Samples) || f.Folds.Count() < 2 {
		return choiceErrorf("per fold: a fold for each labelled sample, or list, and two folds")
	}
	return nil
}

// whole and part are the settings of what was made of all samples, and outside of a fold.
func (f *FoldOptions) whole() map[string]string {
	return map[string]string{foldsSetting: strconv.Itoa(f.Folds.Count()), dealtSetting: dealt(f.Folds), dealtBySetting: f.By}
}

func (f *FoldOptions) part(name string) map[string]string {
	return map[string]string{foldOfSetting: name, dealtSetting: dealt(f.Folds)}
}

// DropFolds removes what was mined or trained outside of the folds of a selection or a model,
// which is to be another one; selections that were derived of a fold's stay.
func DropFolds(m *store.Meta, name string) {
	m.Selections = slices.DeleteFunc(m.Selections, func(s store.SelectionInfo) bool { return foldNamed(s.Name, s.Settings, name) })
	m.Models = slices.DeleteFunc(m.Models, func(x store.ModelInfo) bool { return foldNamed(x.Name, x.Settings, name) })
}

// foldNamed says whether a selection or a model of these settings is of a fold of the one that is
// called whole, and has that fold's name.
func foldNamed(name string, settings map[string]string, whole string) bool {
	number, ok := strings.CutPrefix(name, whole+".fold")
	_, err := strconv.Atoi(number)
	return ok && err == nil && settings[foldOfSetting] == whole
}

// isFold says whether a selection is of a fold of another.
func isFold(m *store.Meta, name, whole string) bool {
	sel := m.Selection(name)
	return sel != nil && foldNamed(name, sel.Settings, whole)
}

// foldsOf is in how many folds a selection was mined, 0 where a fold's is no longer there.
func foldsOf(m *store.Meta, name string) int {
	sel := m.Selection(name)
	if sel == nil {
		return 0
	}
	n, _ := strconv.Atoi(sel.Settings[foldsSetting])
	for fold := range n {
		if part := m.Selection(FoldName(name, fold)); part == nil || part.Settings[foldOfSetting] != name {
			return 0
		}
	}
	return n
}

// OfFold says whether a selection or a model with these settings is a part of one that was
// made per fold.
func OfFold(settings map[string]string) bool { return settings[foldOfSetting] != "" }

// ForPeople returns the settings of a selection or a model but for those by which a program
// knows it again.
func ForPeople(settings map[string]string) map[string]string {
	said := maps.Clone(settings)
	delete(said, dealtSetting)
	delete(said, withoutSetting)
	return said
}

// dealt names folds.
func dealt(f crossval.Folds) string { return strconv.FormatUint(f.Hash(), 16) }

// in are the samples of a fold.
func (f *FoldOptions) in(fold int) *roaring.Bitmap {
	in := roaring.New()
	for i, k := range f.Folds {
		if k == fold {
			in.AddRange(uint64(f.Samples[i].From), uint64(f.Samples[i].To))
		}
	}
	return in
}

// SelectPerFold is Select, once among all samples and once outside of each fold, so that
// what is tested on the samples, or the lists, of a fold has not seen them (SI05, §5). A fold's selection has
// the name FoldName, and is mined from the samples that are not in the fold: their
// number, their labels, supports among them. By relevance it is that of the model that
// TrainPerFold has trained outside of the fold. It returns what was decided of all, with the
// fragments of each fold's in order.
func SelectPerFold(ctx context.Context, w *store.Writer, o SelectOptions, f FoldOptions) (done *Selected, each []uint64, err error) {
	if err := f.check(); err != nil {
		return nil, nil, err
	}
	if err := checkName(w.Meta(), o.Name, o.Overwrite); err != nil {
		return nil, nil, err
	}
	relevant := o.By == (*Relevance)(nil).Name()
	if relevant {
		if err := trainedPerFold(w.Meta(), o.Model, f.Folds); err != nil {
			return nil, nil, err
		}
	}
	DropFolds(w.Meta(), o.Name) // an earlier run may have had more
	for fold := range f.Folds.Count() {
		part := o
		part.Name, part.settings = FoldName(o.Name, fold), f.part(o.Name)
		if relevant {
			part.Model = FoldName(o.Model, fold)
		} else {
			part.Without = f.in(fold)
		}
		found, err := Select(ctx, w, part)
		if err != nil {
			return nil, nil, fmt.Errorf("fold %d: %w", fold+1, err)
		}
		each = append(each, found.Fragments)
	}
	o.settings = f.whole()
	done, err = Select(ctx, w, o)
	return done, each, err
}

// MinedPerFold says whether a selection of the store was mined per fold; if that was in
// other folds than these, or what stands under the name of a fold's selection was not mined
// with it, it is an error.
func MinedPerFold(m *store.Meta, sel *store.SelectionInfo, folds crossval.Folds) (bool, error) {
	return madePerFold(sel.Name, "mined", sel.Settings, folds, func(name string) map[string]string {
		if s := m.Selection(name); s != nil {
			return s.Settings
		}
		return nil
	})
}

// madePerFold is MinedPerFold of whatever has these settings, and was made: settings
// returns those of what has a name.
func madePerFold(name, made string, whole map[string]string, folds crossval.Folds, settings func(name string) map[string]string) (bool, error) {
	if whole[foldsSetting] == "" {
		return false, nil
	}
	if whole[dealtSetting] != dealt(folds) {
		return false, fmt.Errorf("was %s per fold, in others than these, or before samples were added or removed: with %s", made, whole[dealtBySetting])
	}
	for fold := range folds.Count() {
		part := settings(FoldName(name, fold))
		if part[foldOfSetting] != name || part[dealtSetting] != dealt(folds) {
			return false, fmt.Errorf("was %s per fold, and %s is not what was %s with it", made, FoldName(name, fold), made)
		}
	}
	return true, nil
}

// eachSample calls f for the first n samples of a store, in order, but for those of
// without, which may be nil.
func eachSample(st *store.Store, n uint32, without *roaring.Bitmap, f func(id uint32, t *index.Tree) error) error {
	if without == nil {
		return st.Samples(0, n, f)
	}
	return st.Samples(0, n, func(id uint32, t *index.Tree) error {
		if without.Contains(id) {
			return nil
		}
		return f(id, t)
	})
}
