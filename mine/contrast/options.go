package contrast

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/mine/query"
)

// Unit is what is counted, or counted in.
type Unit string

// The units. A sentence is a sample; the candidates of a K-best list are one sentence. Words were counted
// when the store was built, of each candidate. A sample without a document counts for none.
const (
	Occurrences Unit = "occurrences"
	Places      Unit = "places" // the distinct nodes at which occurrences begin
	Sentences   Unit = "sentences"
	Documents   Unit = "documents"
	Words       Unit = "words"
)

// Adjust is how p-values are adjusted to how many tests there are.
type Adjust string

// The adjustments. Bonferroni also widens the confidence intervals, as Evert (2022)
// does: they hold for all rows together then.
const (
	NoAdjust   Adjust = "none"
	Bonferroni Adjust = "bonferroni"
	FDR        Adjust = "fdr" // Benjamini & Hochberg (1995)
)

// Options say what to compare, and how. The zero value of a field but A is its default.
type Options struct {
	// A and B are labels, or several separated by commas, which are the samples that have any of
	// them. B "" is the rest: every sample without A.
	A, B string
	// Reference, if set, is B: a list of frequencies from elsewhere. A "" is then every sample.
	Reference *Reference

	// Constructions, if not nil, are the rows, each its own, instead of the fragments of the table.
	Constructions []Construction

	// Count is what a fragment's frequency counts: Occurrences, Places, or the Sentences or Documents that
	// have it. The default is Places if one node can begin several occurrences (index.Valued) and the
	// store tells them, else Occurrences: choices among siblings are no evidence.
	Count Unit
	// Per is what the size of each side counts: Words, Sentences or Documents; by
	// default Words for Occurrences and Places, else Count. Documents are per Documents only.
	Per Unit
	// MinDocs is how many documents of both sides must have a fragment for a row. 0 is DefaultMinDocs, or
	// all documents of a side that has fewer; of constructions, and below 0, it is none. A store without
	// documents is a usage error above 0.
	MinDocs int

	// Documents, if set, is the test that p-values are of; else they are exact, see Measures.P.
	Documents *DocumentTest

	Adjust     Adjust  // FDR
	Confidence float64 // of the intervals, within 0 and 1; 0 is 0.95

	// All gives a row to every fragment. Without it, fragments with the same occurrences in all samples
	// are one row and one test. The one of the highest order stands for them; of several, the first in
	// byte order of texts.
	All bool
	// Brief makes a comparison faster. The fragments are read once, and of those with the same posting
	// list one is counted, if all fit into memory. The rows that Each gives then have no Dispersion,
	// which Recall has, and their own fragment only after Settle. It has no effect with Members,
	// Documents, Constructions or a Reference.
	Brief bool
	// Members asks for Row.EachMember. Each can be called once then.
	Members bool

	// WithoutPlaces is set where Count is Occurrences because the store does not tell places.
	WithoutPlaces bool

	Progress index.Progress // nil: none
	// TempDir is where what is not All sorts what memory does not hold: a directory of
	// FS that does not exist, and does not afterwards.
	FS      vfs.FS // nil: the operating system's
	TempDir string
}

// Reference is how often fragments occur in a corpus of some size, in the units of Options.Count and
// Options.Per. What it does not have occurs there never.
type Reference struct {
	Name string
	Size uint64
	Of   map[string]uint64 // by index.Code
}

// checkReference refuses what a list cannot tell.
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

// ErrNoDocuments says that documents are asked for, and the store knows none.
var ErrNoDocuments = index.Usagef("the store has no documents: build it with --document-from")

const defaultConfidence = 0.95

// DefaultMinDocs is Options.MinDocs where a side has no fewer documents.
const DefaultMinDocs = 5

// withDefaults fills in the defaults and checks the rest.
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
		if o.Per = o.Count; o.counts() {
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

// checkSides refuses the same labels on both sides.
func (o *Options) checkSides() error {
	if slices.Equal(slices.Sorted(strings.SplitSeq(o.A, ",")), slices.Sorted(strings.SplitSeq(o.B, ","))) {
		return index.Usagef("label %s against itself", o.A)
	}
	return nil
}

// shares says whether frequencies may be a part of what they are relative to: a unit of
// itself, or occurrences, as long as no fragment has several a word, of the words.
func (o *Options) shares() bool {
	return o.Count == o.Per || o.counts() && o.Per == Words
}

// counts says whether a sample can have several units.
func (o *Options) counts() bool { return o.Count == Occurrences || o.Count == Places }
