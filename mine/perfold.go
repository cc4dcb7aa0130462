package mine

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
	"fstore/mine/crossval"
	"fstore/store"
)

// Settings of a selection that was mined per fold, in store.SelectionInfo.Settings, and of
// those mined outside of its folds, FoldSelection(name, 0) and so on.
const (
	foldsSetting   = "folds"    // how many
	dealtSetting   = "dealt"    // crossval.Folds.Hash of the labelled samples
	dealtBySetting = "dealt-by" // flags
	foldOfSetting  = "fold-of"  // of a fold's: the name of the whole selection
)

// FoldSelection is the name of the selection that was mined outside of a fold, from 0, of the
// selection of this name.
func FoldSelection(name string, fold int) string { return fmt.Sprintf("%s.fold%d", name, fold+1) }

// FoldOptions are the folds of SelectPerFold.
type FoldOptions struct {
	Folds   crossval.Folds // of the labelled samples
	Samples *Labelled
	By      string // how they were dealt, in words
}

// SelectPerFold is Select, once among all samples and once outside of each fold, so that
// what is tested on the samples of a fold has not seen them (SI05, §5). A fold's selection has
// the name FoldSelection, and is mined from the samples that are not in the fold: their
// number, their labels, supports among them. It returns what was decided of all, with the
// fragments of each fold's in order.
func SelectPerFold(ctx context.Context, w *store.Writer, o SelectOptions, f FoldOptions) (done *Selected, each []uint64, err error) {
	if o.By != (Support{}).Name() && o.By != (*ChiSquared)(nil).Name() {
		return nil, nil, choiceErrorf("per fold: by support or chi2: what %s reads has been made of all samples", o.By)
	}
	if len(f.Folds) != len(f.Samples.ID) || f.Folds.Count() < 2 {
		return nil, nil, choiceErrorf("per fold: a fold for each labelled sample, and two folds")
	}
	if err := checkName(w.Meta(), o.Name, o.Overwrite); err != nil {
		return nil, nil, err
	}
	// Those of an earlier run that had more folds would be left behind.
	m := w.Meta()
	m.Selections = slices.DeleteFunc(m.Selections, func(s store.SelectionInfo) bool { return s.Settings[foldOfSetting] == o.Name })
	dealt := strconv.FormatUint(f.Folds.Hash(), 16)
	for fold := range f.Folds.Count() {
		part := o
		part.Name = FoldSelection(o.Name, fold)
		part.Without = roaring.New()
		for i, k := range f.Folds {
			if k == fold {
				part.Without.Add(f.Samples.ID[i])
			}
		}
		part.settings = map[string]string{foldOfSetting: o.Name, dealtSetting: dealt}
		found, err := Select(ctx, w, part)
		if err != nil {
			return nil, nil, fmt.Errorf("fold %d: %w", fold+1, err)
		}
		each = append(each, found.Fragments)
	}
	o.settings = map[string]string{foldsSetting: strconv.Itoa(f.Folds.Count()), dealtSetting: dealt, dealtBySetting: f.By}
	done, err = Select(ctx, w, o)
	return done, each, err
}

// MinedPerFold says whether a selection of the store was mined per fold; if that was in
// other folds than these, or what stands under the name of a fold's selection was not mined
// with it, it is an error.
func MinedPerFold(m *store.Meta, sel *store.SelectionInfo, folds crossval.Folds) (bool, error) {
	if sel.Settings[foldsSetting] == "" {
		return false, nil
	}
	dealt := strconv.FormatUint(folds.Hash(), 16)
	if sel.Settings[dealtSetting] != dealt {
		return false, fmt.Errorf("was mined per fold, in others than these: with %s", sel.Settings[dealtBySetting])
	}
	for fold := range folds.Count() {
		part := m.Selection(FoldSelection(sel.Name, fold))
		if part == nil || part.Settings[foldOfSetting] != sel.Name || part.Settings[dealtSetting] != dealt {
			return false, fmt.Errorf("was mined per fold, and %s is not what was mined with it", FoldSelection(sel.Name, fold))
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
