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

// Options are the options of Run. The zero value of a field is its default.
type Options struct {
	Name      string // name of the selection
	Overwrite bool   // a selection of that name may be replaced

	Space string // the name or ID; "": the store's only space
	// The limits of the fragments; nil means the limits of the stored space. Fragments beyond the stored
	// limits are grown from the stored trees.
	MinSupport *uint32
	MaxOrder   *int // 0: any
	Closed     *bool

	By string // objective: support, chi2, relevance or gradient
	// Top is how many fragments are kept: those with the largest |score|. Among fragments with equal |score|,
	// the first in code order are kept. 0 means all.
	Top int

	// These options are for chi2. Positive is the label to test against the rest; nil tests each label
	// against the rest. Tau is the least χ². Alpha is the level of significance. At most one of Tau and Alpha
	// is allowed. Top can be set too; it must be set if Tau and Alpha are not.
	Positive   *string
	Tau, Alpha *float64
	Correct    Correction // correction of Alpha; "": NoCorrection
	// These options are for WestfallYoungCorrection: how many permutations (0 means 1,000), what they
	// permute, and the seed that determines them.
	Permutations int
	Permute      Permuted // "": PermuteSamples
	Seed         uint64

	// These options are for relevance. Model is the kernel machine. If the model has several machines,
	// Positive is the label of one machine. Exactly one of Top, ThresholdRatio, Sigma and NormShare is set.
	// ThresholdRatio L selects fragments with a |relevance| of at least B/L; B is the |relevance| of the
	// heaviest fragment of order 1. Sigma selects fragments with at least this |relevance|. NormShare selects
	// the smallest set that keeps this share of ‖w‖².
	Model                            string
	ThresholdRatio, Sigma, NormShare *float64
	Greedy                           bool // use Algorithm 5.1 of Pighin & Moschitti (2010), a heuristic

	Gradient GradientOptions // options for gradient

	// Without is a set of samples that are skipped, since they are held out for a test; nil means no samples.
	// Relevance does not use it. K-best lists are skipped as a whole.
	Without *roaring.Bitmap

	// If Explain is set, Run sets Result.Explained even if Top is set. With Top, that takes another pass.
	Explain bool

	// MaxFragments is the largest allowed number of selected fragments; 0 means no bound. If there are more,
	// the error is ErrTooMany.
	MaxFragments uint64
	Workers      int   // goroutines that grow; 0: one for each processor
	Memory       int64 // about how many bytes growth and permutations take; 0: 1 GiB. For gradient, see gradient.Options
	// Scratch is a directory that does not exist. DryRun makes it for data of gradient that exceeds Memory,
	// and removes it afterwards. "" keeps such data in memory.
	Scratch string

	Progress index.Progress // nil: none

	settings    map[string]string // recorded in addition to other settings
	forceGrowth bool              // in tests: grow even if a scan would do
}

// chi2Only says whether any option is set that only chi2 has.
func (o *Options) chi2Only() bool {
	return o.Tau != nil || o.Alpha != nil || o.Correct != NoCorrection || o.Permutations != 0 || o.Permute != ""
}

// SetDefaults replaces zero values by their defaults.
func (o *Options) SetDefaults() {
	o.Correct = cmp.Or(o.Correct, NoCorrection)
	o.Workers = index.Workers(o.Workers)
	if o.Memory <= 0 {
		o.Memory = 1 << 30
	}
	o.Progress = cmp.Or[index.Progress](o.Progress, index.NoProgress{})
}

// Result says what Run decided.
type Result struct {
	Fragments uint64            // how many are selected
	Explained judge.Explanation // with Top, nil unless Explain is set
	// Iterations describe the run of a selection by gradient. They replace Explained.
	Iterations []gradient.Iteration
	Grown      bool   // fragments were grown from the stored trees; else the stored fragments were scanned
	Decided    string // one line that says it in words
}

// run is one call of Run or DryRun.
type run struct {
	ctx      context.Context
	o        *Options
	st       *store.Store
	w        *store.Writer // nil in a dry run
	From     *judge.Source
	settings map[string]string
	reason   string            // says in words what the threshold is
	kept     string            // says in words what else decides about the selected fragments
	found    []store.Entry     // result of a greedy search, in code order
	saw      judge.Explanation // counts of a greedy search
	labels   []string          // labels that gradient tells apart, in byte order; none: candidates of lists
	smallest *smallest         // for a norm share: which of the fragments at the threshold are selected
}

// described returns the description of a threshold, with Top added.
func (r *run) described(threshold string) string {
	if r.o.Top == 0 {
		return threshold
	}
	return fmt.Sprintf("%s, the top %s", threshold, index.Thousands(r.o.Top))
}

// setting records a number as a setting.
func (r *run) setting(name string, x float64) {
	r.settings[name] = strconv.FormatFloat(x, 'g', -1, 64)
}

// ImportedSetting marks an imported selection: its scores and statistics are from the imported file, except
// support and occurrences.
const ImportedSetting = "imported"

// ChosenBySetting is for a selection of stored fragments. It says which data, beside trees, decided the
// choice.
const ChosenBySetting = "chosen-by"

// SawLabels says whether a selection depends on the labels of its samples. If so, a test on these samples is
// not fair. A list of fragments does not say where it comes from.
func SawLabels(sel *store.SelectionInfo) bool {
	return sel.Settings[ChosenBySetting] != "" || sel.By != BySupport && slices.Contains(Objectives(), sel.By)
}
