package selection

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
	"fstore/mine/judge"
	"fstore/mine/query"
	"fstore/store"
)

// chooseChiSquared makes the test against the chosen labels, and its threshold.
func chooseChiSquared(r *Selection) (judge.Objective, float64, error) {
	x, err := r.chiSquared()
	if err != nil {
		return nil, 0, err
	}
	least, err := r.leastChiSquared(x)
	return x, least, err
}

// chiSquared makes the test against the chosen labels.
func (r *Selection) chiSquared() (*ChiSquared, error) {
	labels, err := r.St.Labels()
	if err != nil {
		return nil, err
	}
	if p := r.O.Positive; p != nil {
		if !slices.Contains(labels, *p) {
			return nil, &query.LabelError{Label: *p, Labels: labels}
		}
		labels = []string{*p}
	}
	if len(labels) == 0 {
		return nil, index.Usagef("the samples have no labels to test against: build the store with --label-from")
	}
	names, err := json.Marshal(labels)
	if err != nil {
		return nil, err
	}
	r.settings[query.LabelsSetting] = string(names)
	return chiSquaredOf(r.St, labels, r.St.Meta().Samples, r.O.Without)
}

// chiSquaredOf is the test against labels among the first samples of a store, but for those
// of without, which may be nil.
func chiSquaredOf(st *store.Store, labels []string, samples uint32, without *roaring.Bitmap) (*ChiSquared, error) {
	var classes []Class
	for _, label := range labels {
		bm, err := st.LabelBitmap(label)
		if err != nil {
			return nil, err
		}
		if !bm.IsEmpty() && bm.Maximum() >= st.Meta().Samples {
			return nil, &store.Error{Dir: st.Dir(), Kind: store.ErrDamaged, Detail: fmt.Sprintf("label %q names sample %d of %d", label, bm.Maximum(), st.Meta().Samples)}
		}
		bm.RemoveRange(uint64(samples), math.MaxUint32+1)
		classes = append(classes, Class{label, bm})
	}
	return NewChiSquared(samples, without, classes), nil
}

// leastChiSquared is the least χ².
func (r *Selection) leastChiSquared(x *ChiSquared) (float64, error) {
	o := r.O
	switch {
	case o.Tau != nil && o.Alpha != nil:
		return 0, index.Usagef("tau or alpha: not both")
	case o.Correct != NoCorrection && o.Correct != BonferroniCorrection && o.Correct != FDRCorrection:
		return 0, index.Usagef("correction %q: there are none, bonferroni and fdr", o.Correct)
	case o.Correct != NoCorrection && o.Alpha == nil:
		return 0, index.Usagef("what is corrected is alpha")
	case o.Tau != nil:
		if !(*o.Tau >= 0) {
			return 0, index.Usagef("tau: 0 or more")
		}
		r.setting("tau", *o.Tau)
		r.reason = r.described(fmt.Sprintf("χ² ≥ %.6g", *o.Tau))
		return *o.Tau, nil
	case o.Alpha == nil && o.Top == 0:
		return 0, index.Usagef("chi2 needs a threshold: tau, alpha or top")
	case o.Alpha == nil:
		r.reason = r.described("any χ²")
		return 0, nil
	case !(*o.Alpha > 0 && *o.Alpha < 1):
		return 0, index.Usagef("alpha: above 0, below 1")
	}
	return r.significant(x)
}

// significant is the least χ² that Alpha, corrected, makes.
func (r *Selection) significant(x *ChiSquared) (float64, error) {
	o := r.O
	tau, tested, err := x.significant(r.From, *o.Alpha, o.Correct)
	if err != nil {
		return 0, err
	}
	r.setting("alpha", *o.Alpha)
	r.setting("tau", tau)
	r.settings["correct"] = string(o.Correct)
	r.reason = fmt.Sprintf("χ² ≥ %.6g (alpha %v", tau, *o.Alpha)
	if math.IsInf(tau, 1) {
		r.reason = fmt.Sprintf("no χ² (alpha %v", *o.Alpha)
	}
	if o.Correct != NoCorrection {
		r.settings["tested"] = strconv.FormatUint(tested, 10)
		r.reason += fmt.Sprintf(", %s over %s", o.Correct, index.Plural(tested, "fragment"))
		if x.tests > 1 {
			r.reason += fmt.Sprintf(" and %v labels", x.tests)
		}
	}
	r.reason = r.described(r.reason + ")")
	return tau, nil
}

// setting records a number.
func (r *Selection) setting(name string, x float64) {
	r.settings[name] = strconv.FormatFloat(x, 'g', -1, 64)
}
