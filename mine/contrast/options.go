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

// The units. A sentence is a sample, but all candidates of a K-best list are one sentence. Words counts the
// words of every candidate. A sample without a document does not count for Documents.
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

// The adjustments. Bonferroni also widens the confidence intervals, so that they hold for all rows together
// (Evert 2022).
const (
	NoAdjust   Adjust = "none"
	Bonferroni Adjust = "bonferroni"
	FDR        Adjust = "fdr" // Benjamini & Hochberg (1995)
)

// Options say what to compare, and how. The zero value of every field except A is its default.
type Options struct {
	// A and B are each a label, or several labels separated by commas, which stand for the samples with at
	// least one of these labels. An empty B stands for every sample without A.
	A, B string
	// Reference, if set, is used as B. It is a list of frequencies from another corpus. With a Reference, an
	// empty A stands for every sample.
	Reference *Reference

	// Constructions, if not nil, are compared instead of the fragments of the table. Each has its own row.
	Constructions []Construction

	// Count is the unit of a fragment's frequency: its Occurrences or Places, or the Sentences or Documents
	// that have it. The default is Places for constructions, else Occurrences. If several occurrences can
	// begin at one node (index.Valued) and the store has places, the default is Places too, because several
	// choices among the same siblings are not more evidence.
	Count Unit
	// Per is the unit of the size of each side: Words, Sentences or Documents. The default is Words if Count
	// is Occurrences or Places, else it is Count. Documents can only be counted per Documents.
	Per Unit
	// MinDocs is the number of documents, of both sides together, in which a fragment must occur to have a
	// row. 0 stands for DefaultMinDocs, or for a smaller number if a side has fewer documents. For
	// constructions, 0 is no limit. A negative number is no limit. A positive number is a usage error if the
	// store has no documents.
	MinDocs int

	// Documents, if set, is the test from which p-values come. If it is nil, p-values are exact (see
	// Measures.P).
	Documents *DocumentTest

	Adjust     Adjust  // "" is FDR
	Confidence float64 // the confidence of the intervals, between 0 and 1; 0 is 0.95

	// All gives every fragment its own row. Without it, fragments with equally many occurrences in each
	// sample (or places, if Count is Places) share one row and one test. The fragment of the highest order
	// stands for these fragments. If several have the highest order, it is the one whose text is first in
	// byte order.
	All bool
	// Brief makes a comparison faster if all fragments fit into memory. Then the fragments are read once, and
	// only one fragment of each posting list is counted. Rows of Each then have no Dispersion (Recall
	// computes it), and have their own fragment only after Row.Settle. Brief has no effect with Members,
	// Documents, Constructions or a Reference.
	Brief bool
	// Members makes Row.EachMember available. If it is set, Contrast.Each can be called only once.
	Members bool

	// WithoutPlaces is set by New if the default of Count is Occurrences only because the store has no
	// places.
	WithoutPlaces bool

	Progress index.Progress // nil: none
	// If data does not fit in memory, it is sorted in the directory TempDir of FS. The directory must not
	// exist yet, and is removed afterwards. It is not needed if All is set.
	FS      vfs.FS // nil: the operating system's
	TempDir string
}

// DocumentTest computes p-values by permutation of documents. The words of a document are not independent of
// each other, so the counts in a document are not independent either. Therefore whole documents change sides
// (Lijffijt et al. 2016).
//
// Each permutation gives side A random documents, as many as side A really has. The statistic is the absolute
// difference of the two rates, in the unit of Options.Per. P = (b+1)/(n+1), where b of the n permutations
// have a statistic at least as large as the real one. Permuting stops early, after m permutations, once P is
// certain to be above 0.1. Then P is (b+1)/(m+1). If there are at most n+1 ways to divide the documents, each
// way except the real one is taken once, and P is exact.
//
// Documents with samples on both sides are left out, and so are samples without a document.
type DocumentTest struct {
	Permutations int // 0 is DefaultPermutations
	Seed         uint64
	// Wanted reports whether a row is tested; nil tests every row. A row without a test has no P, but has all
	// other measures. P is adjusted to the number of tested rows.
	Wanted func(*Contrast, *Row) (bool, error)
}

// Reference has the frequencies of fragments in another corpus, in units of Options.Count, and the size of
// that corpus, in units of Options.Per. A fragment that is not in Of never occurs in that corpus.
type Reference struct {
	Name string
	Size uint64
	Of   map[string]uint64 // by index.Code: the frequency
}

// Construction is a row that is not a stored fragment. The caller has counted it in the trees, see package
// mine/count.
type Construction struct {
	Name string
	// IDs has the samples with the construction, ascending. Hits[i] is the number of its occurrences in
	// sample IDs[i], and Places[i] is the number of nodes at which these begin.
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

// shares reports whether the frequency on a side, A or B, can be a share of the side's size. It can if Count
// and Per are the same unit, or if occurrences or places are counted per word. The frequency must also not
// exceed the size, which measureAll checks.
func (o *Options) shares() bool {
	return o.Count == o.Per || o.canRepeat() && o.Per == Words
}

// canRepeat reports whether one sample can count several times in the unit Count.
func (o *Options) canRepeat() bool { return o.Count == Occurrences || o.Count == Places }
