package selection

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
	"fstore/mine/gradient"
	"fstore/mine/judge"
	"fstore/mine/query"
	"fstore/store"
)

// Options are the options of Run. The zero value of a field is its default.
type Options struct {
	Name      string // name of the selection
	Overwrite bool   // a selection of that name may be replaced

	Space string // the name or ID; "": the store's only space
	// The limits of the fragments; nil means the limit of the stored space. Fragments beyond the stored
	// limits are grown from the stored trees.
	MinSupport *uint32
	MaxOrder   *int // 0: any
	Closed     *bool

	By string // objective: support, chi2, relevance or gradient
	// Top is the number of fragments to keep, those with the highest |score|. 0 means all.
	Top int

	// Options for chi2. At most one of Tau and Alpha is set. If neither is set, Top must be set.
	//   - Positive: the label to test against all other samples; nil tests each label
	//   - Tau: the least χ²
	//   - Alpha: the level of significance
	Positive   *string
	Tau, Alpha *float64
	Correct    Correction // correction of Alpha; "": NoCorrection
	// Options for WestfallYoungCorrection: the number of permutations (0 means 1,000), what they permute, and
	// their seed.
	Permutations int
	Permute      Permuted // "": PermuteSamples
	Seed         uint64

	// Options for relevance. Model names the model, and Positive can choose one of its kernel machines by
	// label. Exactly one of Top, ThresholdRatio, Sigma and NormShare is set:
	//   - ThresholdRatio L: at least 1/L of the largest |relevance| of order 1
	//   - Sigma: at least this |relevance|
	//   - NormShare: the smallest set that keeps this share of ‖w‖²
	Model                            string
	ThresholdRatio, Sigma, NormShare *float64
	Greedy                           bool // use Algorithm 5.1 of Pighin & Moschitti (2010), a heuristic

	Gradient GradientOptions // options for gradient

	// Without has the samples to skip, or is nil. Of a K-best list, it must have all samples or none.
	// Selection by relevance ignores it.
	Without *roaring.Bitmap

	// Explain makes Run set Result.Explained even with Top, at the cost of another pass.
	Explain bool

	// MaxFragments is the largest number of fragments that may be selected; 0 means no bound. If there are
	// more, the error is ErrTooMany.
	MaxFragments uint64
	Workers      int   // goroutines that grow; 0: one for each processor
	Memory       int64 // about how many bytes growth and permutations take; 0: 1 GiB. For gradient, see gradient.Options
	// Scratch is a directory that a DryRun by gradient makes, and removes at the end. It takes data that
	// exceed Memory, and must not exist yet. If Scratch is "", the data stay in memory.
	Scratch string

	Progress index.Progress // nil: none

	settings    map[string]string // recorded in addition to other settings
	forceGrowth bool              // in tests: grow even if a scan would do
}

func (o *Options) chi2Only() bool {
	return o.Tau != nil || o.Alpha != nil || o.Correct != NoCorrection || o.Permutations != 0 || o.Permute != ""
}

// SetDefaults replaces zero values of Correct, Workers, Memory and Progress by their defaults.
func (o *Options) SetDefaults() {
	o.Correct = cmp.Or(o.Correct, NoCorrection)
	o.Workers = index.Workers(o.Workers)
	if o.Memory <= 0 {
		o.Memory = 1 << 30
	}
	o.Progress = cmp.Or[index.Progress](o.Progress, index.NoProgress{})
}

// The names of the objectives, as in --by.
const (
	BySupport    = "support"
	ByChiSquared = "chi2"
	ByRelevance  = "relevance"
	ByGradient   = "gradient"
)

// Objectives lists the values of --by.
func Objectives() []string { return []string{BySupport, ByChiSquared, ByRelevance, ByGradient} }

// Correction says how a selection by χ² corrects Alpha for many tests. Each pair of a label and a fragment
// within the limits is a hypothesis. If each sample has one of two labels, a fragment is only one hypothesis.
// P-values assume independent samples.
type Correction string

// All corrections except NoCorrection and FDRCorrection limit the chance of any false finding to Alpha.
const (
	// NoCorrection uses p-values as they are, each hypothesis by itself.
	NoCorrection Correction = "none"
	// BonferroniCorrection divides Alpha by the number of hypotheses.
	BonferroniCorrection Correction = "bonferroni"
	// FDRCorrection limits the expected share of false findings among all findings, over all hypotheses
	// (Benjamini & Hochberg 1995).
	FDRCorrection Correction = "fdr"
	// TaroneCorrection divides Alpha by the number of testable hypotheses: those that have enough support to
	// reach the divided Alpha (Tarone 1990; Terada et al. 2013). It finds all that BonferroniCorrection
	// finds, and often more.
	TaroneCorrection Correction = "tarone"
	// WestfallYoungCorrection takes the level from the least p-values under permutations of the labels
	// (Westfall & Young 1993; Llinares-López et al. 2015). It is exact although most fragments depend on each
	// other.
	WestfallYoungCorrection Correction = "westfall-young"
)

// Corrections lists the values of Correction, for an error message or the help.
func Corrections() []string {
	return []string{string(NoCorrection), string(BonferroniCorrection), string(FDRCorrection), string(TaroneCorrection), string(WestfallYoungCorrection)}
}

// Permuted says what gets new labels in a permutation: single samples or whole documents.
type Permuted string

const (
	// PermuteSamples permutes the labels of single samples.
	PermuteSamples Permuted = "samples"
	// PermuteDocuments gives all samples of a document the labels of another document. It is the careful
	// choice, since sentences of one document are not independent. Samples keep their labels if they have no
	// document, or if the samples of their document differ in labels.
	PermuteDocuments Permuted = "documents"
)

// GradientOptions are the options for Options.By "gradient" (package gradient). The zero value of a field is
// its default.
type GradientOptions struct {
	MinCount   *uint32 // C in the paper; nil: DefaultMinCount
	Iterations int     // most iterations; 0: gradient.DefaultIterations
	Step       float64 // the first α that is tried, finite; 0: 1
	Literal    bool    // update exactly as printed in the paper, with that α
	Base       float64 // factor of the candidates' own scores, which are added to the model's; finite
	// Scores, if not nil, returns a number for each sample, which is added to Base times the sample's own
	// score. The numbers must not depend on the samples in `without`, which can be nil. The text `by` says
	// where the numbers come from.
	Scores func(ctx context.Context, without *roaring.Bitmap) (scores []float64, by string, err error)
	Keep   gradient.Keep

	Route gradient.Route
	// Options for gradient.Bloom:
	//   - BloomCounters: how many counters, at most MaxBloomCounters; 0 is gradient.DefaultBloomCounters
	//   - BloomBits: the least bits of a counter, at most 32; MinCount can need more
	BloomCounters uint64
	BloomBits     uint

	Log func(*gradient.Iteration) error // called after each iteration; may be nil
}

func (g *GradientOptions) anySet() bool {
	return g.MinCount != nil || g.Iterations != 0 || g.Step != 0 || g.Literal || g.Base != 0 || g.Scores != nil || g.Keep != gradient.KeepWeights || g.Route != gradient.DepthFirst || g.BloomCounters != 0 || g.BloomBits != 0 || g.Log != nil
}

// DefaultMinCount is the default of GradientOptions.MinCount.
const DefaultMinCount = 3

// MaxBloomCounters is the largest allowed BloomCounters. That many counters take 1 GiB if MinCount is 3.
const MaxBloomCounters = 1 << 32

// Result says what Run decided.
type Result struct {
	Fragments uint64            // how many are selected
	Explained judge.Explanation // with Top, nil unless Explain is set
	// Iterations describe the iterations of a selection by gradient, for which Explained is nil.
	Iterations []gradient.Iteration
	Grown      bool   // fragments were grown from the stored trees; else the stored fragments were scanned
	Decided    string // one line that says it in words
}

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

// smallest describes the smallest set of fragments that keeps a share of ‖w‖²:
//   - all with |score| > least
//   - the first `ties` with |score| = least, in code order
type smallest struct {
	least float64
	above uint64 // fragments with a |score| above least
	ties  uint64
	share uint64 // sum of Relevance.Share over the set
}

// filter returns a function that passes the fragments of the set on to `put`. Call the function for all
// fragments with |score| ≥ s.least, in code order.
func (s *smallest) filter(put func(*store.Entry) error) func(*store.Entry) error {
	left := s.ties
	return func(e *store.Entry) error {
		if math.Abs(e.Score) == s.least {
			if left == 0 {
				return nil
			}
			left--
		}
		return put(e)
	}
}

func (r *run) described(threshold string) string {
	if r.o.Top == 0 {
		return threshold
	}
	return fmt.Sprintf("%s, the top %s", threshold, index.Thousands(r.o.Top))
}

func (r *run) setting(name string, x float64) {
	r.settings[name] = strconv.FormatFloat(x, 'g', -1, 64)
}

// tellLabels records the names of the labels, because the statistics contain only the indexes of labels.
func (r *run) tellLabels(labels []string) error {
	names, err := json.Marshal(labels)
	r.settings[query.LabelsSetting] = string(names)
	return err
}

// ImportedSetting marks an imported selection, whose statistics other than support and occurrences are from
// the file.
const ImportedSetting = "imported"

// ChosenBySetting names the data, such as labels, by which stored fragments were chosen.
const ChosenBySetting = "chosen-by"

// SawLabels says whether a selection depends on the labels of its samples. If so, a test on these samples is
// not fair. For an imported list of fragments, the result is false.
func SawLabels(sel *store.SelectionInfo) bool {
	return sel.Settings[ChosenBySetting] != "" || sel.By != BySupport && slices.Contains(Objectives(), sel.By)
}
