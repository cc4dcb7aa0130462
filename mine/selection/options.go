package selection

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
	"fstore/mine/gradient"
	"fstore/mine/judge"
	"fstore/store"
)

// Options are what Run does. The zero value of a field is its default.
type Options struct {
	Name      string // of the selection
	Overwrite bool   // a selection of that name may be replaced

	Space string // the name or ID; "" is the one that the store has
	// The limits; nil is what the space is indexed with. What goes beyond that is grown
	// from the stored trees.
	MinSupport *uint32
	MaxOrder   *int // 0 is any
	Closed     *bool

	By string // the objective: support, chi2, relevance or gradient
	// Top keeps that many fragments, those with the largest |score|, of equal ones
	// those first in code order; 0 is all.
	Top int

	// Of chi2: the label to test against the rest; nil tests each against the rest. One
	// of Tau, the least χ², and Alpha, the level of significance, may be set, and Top
	// with it. Without either Top must be set.
	Positive   *string
	Tau, Alpha *float64
	Correct    Correction // of Alpha; "" is NoCorrection
	// Of WestfallYoungCorrection: how many permutations, 0 being 1,000, of what, and the
	// seed that they follow from.
	Permutations int
	Permute      Permuted // "" is PermuteSamples
	Seed         uint64

	// Of relevance: the kernel machine; Positive is the label of its machine, where it has
	// several. One of Top and these is set: ThresholdRatio L selects |relevance| of at
	// least B/L, with B that of the heaviest fragment of order 1; Sigma of at least this;
	// NormShare the smallest set that keeps this share of ‖w‖².
	Model                            string
	ThresholdRatio, Sigma, NormShare *float64
	Greedy                           bool // by Algorithm 5.1 of Pighin & Moschitti (2010), a heuristic

	Gradient GradientOptions // of gradient

	// Without are samples that are passed over, as they are held out; nil is none. It says
	// nothing of relevance. K-best lists are passed over whole.
	Without *roaring.Bitmap

	// Explain asks for Result.Explained with Top too, which takes another pass then.
	Explain bool

	// MaxFragments bounds the fragments selected: more is ErrTooMany. 0 is no bound.
	MaxFragments uint64
	Workers      int   // that grow; 0 is one a processor
	Memory       int64 // bytes that growth and permutations take, about; 0 is 1 GiB. Of gradient, see gradient.Options
	// Scratch is a directory that does not exist. DryRun makes it for what gradient finds
	// beyond Memory, and removes it; "" keeps that in memory.
	Scratch string

	Progress index.Progress // nil: none

	settings    map[string]string // recorded beside the others
	forceGrowth bool              // in tests: grow what could be scanned
}

// chi2Only says whether an option is given that chi2 alone has.
func (o *Options) chi2Only() bool {
	return o.Tau != nil || o.Alpha != nil || o.Correct != NoCorrection || o.Permutations != 0 || o.Permute != ""
}

// SetDefaults sets what is zero to its default.
func (o *Options) SetDefaults() {
	o.Correct = cmp.Or(o.Correct, NoCorrection)
	o.Workers = index.Workers(o.Workers)
	if o.Memory <= 0 {
		o.Memory = 1 << 30
	}
	o.Progress = cmp.Or[index.Progress](o.Progress, index.NoProgress{})
}

// Result is what Run decided.
type Result struct {
	Fragments uint64            // selected
	Explained judge.Explanation // with Top, nil without Explain
	// Iterations are what a selection by gradient did, in place of Explained.
	Iterations []gradient.Iteration
	Grown      bool   // from the stored trees; else the stored fragments were scanned
	Decided    string // one line
}

// run is one call of Run or DryRun.
type run struct {
	ctx      context.Context
	o        *Options
	st       *store.Store
	w        *store.Writer // nil in a dry run
	From     *judge.Source
	settings map[string]string
	reason   string            // what the threshold is
	kept     string            // what else is to be said of what is selected
	found    []store.Entry     // of a greedy search, in code order
	saw      judge.Explanation // of that search
	labels   []string          // that gradient tells apart, in byte order; none: candidates of lists
	smallest *smallest         // what the threshold of a norm share leaves of the fragments that reach it
}

// described adds Top to what the threshold is.
func (r *run) described(threshold string) string {
	if r.o.Top == 0 {
		return threshold
	}
	return fmt.Sprintf("%s, the top %s", threshold, index.Thousands(r.o.Top))
}

// setting records a number.
func (r *run) setting(name string, x float64) {
	r.settings[name] = strconv.FormatFloat(x, 'g', -1, 64)
}

// ImportedSetting marks a selection whose scores and statistics, but for support and
// occurrences, are those of its file.
const ImportedSetting = "imported"

// ChosenBySetting names what else than trees a selection of what is stored was chosen by.
const ChosenBySetting = "chosen-by"

// SawLabels says whether the objective of a selection reads the labels of the samples, or it was chosen by
// them: a test on these samples has then seen them. A list of fragments does not say where it comes from.
func SawLabels(sel *store.SelectionInfo) bool {
	return sel.Settings[ChosenBySetting] != "" || sel.By != BySupport && slices.Contains(Objectives(), sel.By)
}
