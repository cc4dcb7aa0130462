package contrast

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/mine/query"
)

// Unit is a unit of frequencies or of the size of a corpus.
type Unit string

// The units. Sentences counts a K-best list once, but Words counts the words of every candidate. Documents
// leaves out samples without a document.
const (
	Occurrences Unit = "occurrences"
	Places      Unit = "places" // the distinct nodes at which occurrences begin
	Sentences   Unit = "sentences"
	Documents   Unit = "documents"
	Words       Unit = "words"
)

var tallied = []Unit{Occurrences, Places, Sentences, Documents}

// Adjust is how p-values are adjusted for the number of tests.
type Adjust string

// The adjustments. Bonferroni also widens the confidence intervals (Evert 2022).
const (
	NoAdjust   Adjust = "none"
	Bonferroni Adjust = "bonferroni"
	FDR        Adjust = "fdr" // Benjamini & Hochberg (1995)
)

// Options say what to compare, and how. The zero value of every field except A is its default.
type Options struct {
	// A and B name the labels of the two sides, separated by commas. A sample with any of these labels is on
	// the side. If B is empty, it stands for all other samples.
	A, B string
	// Reference, if set, has the frequencies on side B, from another corpus. An empty A then stands for every
	// sample.
	Reference *Reference

	// Constructions, if not nil, are compared instead of the fragments of the table. Each has its own row.
	Constructions []Construction

	// Count is the unit of a fragment's frequency: Occurrences, Places, Sentences or Documents. The default
	// is:
	//   - Places for constructions, and in index.Valued spaces if the store has places
	//   - Occurrences otherwise
	Count Unit
	// Per is the unit of the size of each side: Words, Sentences or Documents. If Count is Documents, Per
	// must be Documents. The default is:
	//   - Words if Count is Occurrences or Places
	//   - the unit in Count otherwise
	Per Unit
	// MinDocs is the number of documents, of both sides together, that a row needs:
	//   - positive: the store must have documents
	//   - 0: DefaultMinDocs, or less if a side has fewer documents; no limit for constructions
	//   - negative: no limit
	MinDocs int

	// Documents is the test that gives the p-values. If it is nil, p-values are exact (see Measures.P).
	Documents *DocumentTest

	Adjust     Adjust  // "" is FDR
	Confidence float64 // the confidence of the intervals, between 0 and 1; 0 is 0.95

	// All gives every fragment its own row. Otherwise, all fragments with equal counts in every sample share
	// one row and one test. The row shows the first text among those of the highest order.
	All bool
	// Brief makes a comparison faster if all fragments fit into memory. Call Row.Settle before you read the
	// Code, ID or Occurrences of a row, and Row.Dispersion only for rows from Recall. Brief has no effect
	// with Members, Documents, Constructions or a Reference.
	Brief bool
	// Members makes Row.EachMember available. If it is set, Contrast.Each can be called only once.
	Members bool

	// WithoutPlaces is set by New if Places would be the default of Count, but the store has none.
	WithoutPlaces bool

	Progress index.Progress // nil: none
	// Data that does not fit in memory is sorted in the directory TempDir of FS. TempDir must not exist yet,
	// and is removed afterwards. With All, no directory is needed.
	FS      vfs.FS // nil: the operating system's
	TempDir string
}

// DocumentTest computes p-values by permutation of documents. Whole documents change sides, because the
// counts in a document are not independent (Lijffijt et al. 2016). Documents with samples on both sides are
// left out, and so are samples without a document.
//
// Each permutation gives side A random documents, as many as A really has. The statistic is the absolute
// difference of the two rates, in the unit of Options.Per. If b of n permutations have a statistic at least
// as large as the real one, P = (b+1)/(n+1).
//
// If P is certain to be above 0.1 after m permutations, the test stops, with m in place of n. If there are at
// most n+1 ways to divide the documents, the test takes each way once, and P is exact.
type DocumentTest struct {
	Permutations int // 0 is DefaultPermutations
	Seed         uint64
	// Wanted reports whether a row is tested; nil tests every row. Rows that are not tested have no P, and P
	// is adjusted without them.
	Wanted func(*Contrast, *Row) (bool, error)
}

// Reference has the frequencies of fragments in another corpus, in units of Options.Count (0 for a fragment
// not in the map). Size is in units of Options.Per.
type Reference struct {
	Name string
	Size uint64
	Of   map[string]uint64 // by index.Code: the frequency
}

// Construction is a row that is not a stored fragment. Package mine/count finds its hits.
type Construction struct {
	Name string
	// IDs has the samples with the construction, ascending. Sample IDs[i] has Hits[i] hits, which begin at
	// Places[i] different nodes.
	IDs    []uint32
	Hits   []uint64
	Places []uint32
}

func (o *Options) checkReference() error {
	switch {
	case o.B != "":
		return index.Usagef("label %s and a reference: only one of them is B", o.B)
	case o.Documents != nil:
		return index.Usagef("test documents: the reference has no documents")
	case o.Reference.Size == 0:
		return index.Usagef("the reference has no size")
	}
	return nil
}

// ErrNoDocuments says that the options need documents, but the store has none.
var ErrNoDocuments = index.Usagef("the store has no documents: build it with --document-from")

const defaultConfidence = 0.95

// DefaultMinDocs is the default of Options.MinDocs, unless a side has fewer documents.
const DefaultMinDocs = 5

// DefaultPermutations is the default of DocumentTest.Permutations. The smallest possible P is then 1/10000.
const DefaultPermutations = 9999

// withDefaults fills in the defaults and checks the options.
func (o Options) withDefaults(t *query.Table) (Options, error) {
	_, several := t.Space.(index.Valued)
	switch {
	case o.Constructions != nil:
		o.All = true
		o.Count = cmp.Or(o.Count, Places)
	case o.Count == Places && !t.HasPlaces():
		return o, index.Usagef("count %s: %v", o.Count, query.ErrNoPlaces(t))
	case o.Count == "" && several && t.HasPlaces():
		o.Count = Places
	case o.Count == "":
		o.Count, o.WithoutPlaces = Occurrences, several
	}
	if o.Per == "" {
		if o.Per = o.Count; o.canRepeat() {
			o.Per = Words
		}
	}
	o.Adjust = cmp.Or(o.Adjust, FDR)
	o.Confidence = cmp.Or(o.Confidence, defaultConfidence)
	o.Brief = o.Brief && !o.Members && o.Constructions == nil && o.Reference == nil && o.Documents == nil
	o.Progress = cmp.Or[index.Progress](o.Progress, index.NoProgress{})
	o.FS = cmp.Or(o.FS, vfs.Default)
	switch {
	case !slices.Contains(tallied, o.Count):
		return o, index.Usagef("count %s: there are %s, %s, %s, %s", o.Count, Occurrences, Places, Sentences, Documents)
	case o.Per != Words && o.Per != Sentences && o.Per != Documents:
		return o, index.Usagef("per %s: there are %s, %s, %s", o.Per, Words, Sentences, Documents)
	case o.Count == Documents && o.Per != Documents:
		return o, index.Usagef("documents per %s: a document has many, so that this is no frequency; documents are per documents", o.Per)
	case o.Adjust != NoAdjust && o.Adjust != Bonferroni && o.Adjust != FDR:
		return o, index.Usagef("adjust %s: there are %s, %s, %s", o.Adjust, NoAdjust, Bonferroni, FDR)
	case !(o.Confidence > 0 && o.Confidence < 1):
		return o, index.Usagef("confidence %v: within 0 and 1, as 0.95", o.Confidence)
	case o.Constructions != nil && o.Reference != nil:
		return o, index.Usagef("a reference is a list of fragments: it has no frequencies of constructions")
	case o.Constructions != nil && o.Members:
		return o, index.Usagef("a construction stands for itself only: it has no members")
	case o.Reference != nil:
		return o, o.checkReference()
	case o.A == "":
		return o, index.Usagef("no label: name the one to compare with the rest or with another")
	}
	if o.Documents != nil {
		own := *o.Documents
		own.Permutations = cmp.Or(own.Permutations, DefaultPermutations)
		if own.Permutations < 1 {
			return o, index.Usagef("permutations %d: at least one", own.Permutations)
		}
		o.Documents = &own
	}
	return o, o.checkSides()
}

// checkSides returns an error if both sides have the same labels.
func (o *Options) checkSides() error {
	if slices.Equal(slices.Sorted(strings.SplitSeq(o.A, ",")), slices.Sorted(strings.SplitSeq(o.B, ","))) {
		return index.Usagef("label %s against itself", o.A)
	}
	return nil
}

// shares reports whether a side's frequency can be a share of the side's size.
func (o *Options) shares() bool {
	return o.Count == o.Per || o.canRepeat() && o.Per == Words
}

// canRepeat reports whether one sample can count several times in the unit Count.
func (o *Options) canRepeat() bool { return o.Count == Occurrences || o.Count == Places }
