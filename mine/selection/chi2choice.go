package selection

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
	"fstore/mine/judge"
	"fstore/mine/query"
	"fstore/store"
)

// chooseChiSquared makes the test against the chosen labels, and its threshold.
func chooseChiSquared(r *run) (judge.Objective, float64, error) {
	labels, err := r.st.Labels()
	if err != nil {
		return nil, 0, err
	}
	if p := r.o.Positive; p != nil {
		label, err := query.FindLabel(*p, labels)
		if err != nil {
			return nil, 0, err
		}
		labels = []string{label}
	}
	if len(labels) == 0 {
		return nil, 0, index.Usagef("the samples have no labels to test against: build the store with --label-from")
	}
	if err := r.tellLabels(labels); err != nil {
		return nil, 0, err
	}
	r.settings[query.PValueSetting] = query.ExactPValues
	x, err := chiSquaredOf(r.st, labels, r.st.Meta().Samples, r.o.Without)
	if err != nil {
		return nil, 0, err
	}
	if len(labels) == 1 && r.o.Without == nil && x.classes[0].samples == x.n {
		return nil, 0, index.Usagef("all samples have the label %s: a test needs samples without it, of another label or of none", labels[0])
	}
	return r.leastChiSquared(x)
}

// tellLabels records the labels that the statistics of the selection number.
func (r *run) tellLabels(labels []string) error {
	names, err := json.Marshal(labels)
	r.settings[query.LabelsSetting] = string(names)
	return err
}

// chiSquaredOf returns the test against labels among the first samples of a store. Samples in
// without, which may be nil, are left out.
func chiSquaredOf(st *store.Store, labels []string, samples uint32, without *roaring.Bitmap) (*ChiSquared, error) {
	var classes []*roaring.Bitmap
	for _, label := range labels {
		bm, err := st.LabelBitmap(label)
		if err != nil {
			return nil, err
		}
		if !bm.IsEmpty() && bm.Maximum() >= st.Meta().Samples {
			return nil, &store.Error{Dir: st.Dir(), Kind: store.ErrDamaged, Detail: fmt.Sprintf("label %q names sample %d of %d", label, bm.Maximum(), st.Meta().Samples)}
		}
		bm.RemoveRange(uint64(samples), math.MaxUint32+1)
		classes = append(classes, bm)
	}
	return NewChiSquared(samples, without, classes), nil
}

// leastChiSquared is the test with its threshold of χ², or of the p-value.
func (r *run) leastChiSquared(x *ChiSquared) (judge.Objective, float64, error) {
	o := r.o
	switch {
	case o.Tau != nil && o.Alpha != nil:
		return nil, 0, index.Usagef("tau or alpha: not both")
	case !slices.Contains(Corrections(), string(o.Correct)):
		return nil, 0, index.Usagef("correction %q: there are %s", o.Correct, strings.Join(Corrections(), ", "))
	case o.Correct != NoCorrection && o.Alpha == nil:
		return nil, 0, index.Usagef("what is corrected is alpha")
	case o.Correct != WestfallYoungCorrection && (o.Permutations != 0 || o.Permute != ""):
		return nil, 0, index.Usagef("permutations and test are of westfall-young")
	case o.Tau != nil:
		if !(*o.Tau >= 0) {
			return nil, 0, index.Usagef("tau: 0 or more")
		}
		r.setting("tau", *o.Tau)
		r.reason = r.described(fmt.Sprintf("χ² ≥ %.6g", *o.Tau))
		return x, *o.Tau, nil
	case o.Alpha == nil && o.Top == 0:
		return nil, 0, index.Usagef("chi2 needs a threshold: tau, alpha or top")
	case o.Alpha == nil:
		r.reason = r.described("any χ²")
		return x, 0, nil
	case !(*o.Alpha > 0 && *o.Alpha < 1):
		return nil, 0, index.Usagef("alpha: above 0, below 1")
	}
	x, err := r.atAlpha(x)
	return x, 0, err
}
