package index

import (
	"math"

	"fstore/index/glob"
)

// Space is a fragment space: which fragments exist, how they are written, grown, matched and valued
// (index/README.md). It has no state, and goroutines share it. Each makes its own Kernel and Matcher.
type Space interface {
	// ID is the name with the canonical options; equal IDs mean the same space.
	ID() string

	// Tally counts the root occurrences of t, by first step.
	Tally(t *Tree, s *Symbols, sample uint32, tally *Tally)
	// NewItems returns an empty collection of samples, in the form that growth reads.
	NewItems(s *Symbols) Items

	// Parts appends the distinct legal components one order down: every sample with c has them.
	Parts(dst []Code, c Code, s *Symbols) []Code
	// AppendText appends the fragment's text form (index/README.md, "Text").
	AppendText(dst []byte, c Code, s *Symbols) []byte
	// ParseText reads a text form. An unknown symbol is ErrAbsent.
	ParseText(text string, s *Symbols) (Code, error)
	// Check says whether a code is well formed over s. The other methods get checked codes only.
	Check(c Code, s *Symbols) error
	// Locate returns the first MaxLocated matches of c in t, in order of their roots.
	Locate(t *Tree, c Code, s *Symbols) []Occurrence

	// NewKernel returns an evaluator, for one goroutine.
	NewKernel(s *Symbols, lambda float64) Kernel
	// NewMatcher returns a walker over the stored fragments, for one goroutine. Matches decay by lambda.
	NewMatcher(x Automaton, s *Symbols, lambda float64) Matcher
}

// Interning is implemented by spaces whose symbols no reader interns (dep, poly, tag).
type Interning interface {
	// Prepare interns what the space needs of t.
	Prepare(t *Tree, s *Symbols)
}

// Prepare interns what a space needs of t beyond what its reader interned. A store calls it for each
// sample it adds, in input order.
func Prepare(space Space, t *Tree, s *Symbols) {
	if x, ok := space.(Interning); ok {
		x.Prepare(t, s)
	}
}

// Decaying is implemented by spaces in which the matches of a fragment, or the fragments of an order,
// differ in value (seq, emb, ptk). Their matchers set Match.Weight, the feature value.
type Decaying interface {
	// Weight is the value of one match of c without gaps.
	Weight(c Code, s *Symbols, lambda float64) float64
}

// Sized is implemented by spaces in which λ plays no part (poly).
type Sized interface {
	// ValueOf is the value of one match of a fragment of this order.
	ValueOf(order int) float64
}

// Value is the kernel's feature value of a fragment of this order that matches as m says:
// Count·λ^(order/2) (Pighin & Moschitti 2010, §3), in a Decaying space m.Weight, in a Sized one
// Count·ValueOf(order). Vectors are made of these values.
func Value(space Space, order int, m Match, lambda float64) float64 {
	switch s := space.(type) {
	case Decaying:
		return m.Weight
	case Sized:
		return float64(m.Count * s.ValueOf(order))
	}
	return m.Count * math.Pow(lambda, float64(order)/2)
}

// Covering is implemented by spaces whose closed fragments can stand for others. Only these spaces can
// be indexed with Limits.Closed.
type Covering interface {
	// Covers says whether every occurrence of big is, at the same root, one of small.
	Covers(big, small Code, s *Symbols) bool
}

// Frontier is implemented by spaces whose steps expand positions of a frontier.
type Frontier interface {
	// Width is the number of positions that a step with this symbol puts in place of the expanded one.
	Width(sym uint32, s *Symbols) int
}

// OfProductions is implemented by spaces whose codes are of productions, and of words or labels. They
// need of a new tree's other symbols only that these differ.
type OfProductions interface{ OfProductions() }

// Templated is implemented by spaces whose symbols are of several kinds.
type Templated interface {
	// AppendTemplate appends the template of a fragment (QL15): its shape, with the
	// kind of each symbol in the symbol's place. Equal texts are equal templates.
	AppendTemplate(dst []byte, c Code, s *Symbols) []byte
	// KindOf numbers the kinds of symbols, densely from 0. The offsets of the steps and the kinds of
	// their symbols determine the template.
	KindOf(sym uint32, s *Symbols) uint32
}

// Labelled is implemented by spaces of dependency trees whose fragments may have labelled nodes.
type Labelled interface {
	// LabelFields names the fields of the tokens that a label is made of, in order; none if nodes
	// have no label.
	LabelFields() []string
	// Surface says whether a text has its nodes in the order of the sentence.
	Surface() bool
	// AppendLabels appends the labels of c's nodes in the order of its text, each a Words id a field;
	// head is the place of the root among the nodes.
	AppendLabels(dst []uint32, c Code, s *Symbols) (labels []uint32, head int)
	// AppendTokens appends the labels that the tokens of t have as nodes.
	AppendTokens(dst []uint32, t *Tree) []uint32
}

// Relating is implemented by spaces whose fragments may differ where dependency trees differ in their
// relations only: Relations says whether they do.
type Relating interface{ Relations() bool }

// Sided is implemented by spaces whose fragments may tell on which side of its head a word stands.
type Sided interface {
	// Sides says whether < and > in a text tell the sides. If not, > leads to either side.
	Sides() bool
	// SideFields says whether fields of the arcs tell them where < and > do not: dir=left.
	SideFields() bool
	// OtherSides returns the texts that differ from a fragment's or a pattern's in these sides only;
	// none where there would be too many.
	OtherSides(text string) []string
}

// Spanned is implemented by spaces in which the nodes of a fragment below one head may not
// lie far apart.
type Spanned interface {
	// Span returns the option that says how far, as it is, and as it is without a bound.
	Span() (option, unbounded string)
	// Wide counts the heads in t where the option leaves out fragments within l.
	Wide(t *Tree, l Limits) int
}

// Patterned is implemented by spaces whose fragments are found by texts with glob.Wildcard and
// glob.Rest in them.
type Patterned interface {
	// Tree sets t to the fragment as a labelled tree. It may refuse what is no code.
	Tree(t *glob.Tree, c Code, s *Symbols) error
	// ParsePattern reads a fragment's text in which a name may be a wildcard and a child
	// may be the rest, for trees that Tree sets. Errors are those of Space.ParseText.
	ParsePattern(text string, s *Symbols) (*glob.Pattern, error)
	// Above returns the pattern that fits somewhere in c and in the fragments that have c as a part, or
	// as a part of a part and so on (Space.Parts), and in no others.
	Above(c Code, s *Symbols) *glob.Pattern
}

// Additive is implemented by spaces that may be grown in parts of the samples, and the parts added up:
// a fragment has the same extensions there as in the whole, each step is one more in order, and Items
// can be used again after Reset. Additive says whether that is so.
type Additive interface{ Additive() bool }

// Flat is implemented by spaces in which a longer code is not an extension of its prefix (st).
// A bound on a fragment says nothing about codes that continue it.
type Flat interface{ Flat() }

// Valued is implemented by spaces in which a sample can have an extension more often than the
// fragment, or in which matches of one fragment differ in value (dep, seq, emb, ptk). With
// Weights.Lambda, growth there sums values, not occurrences, and bounds the values of all that is
// below (Batch.Most). One node can begin several matches, so growth counts places too
// (Batch.Places). In the other spaces occurrences fall along extensions, all matches of an order
// have one value, and each match has a place of its own.
type Valued interface{ Valued() }

// Range is an interval of first steps, packed; Hi is exclusive. Where Hi2 is not 0, it
// is one first step, and only the fragments in it whose second step lies in Lo2, Hi2:
// for a Splitter, which none but it is given.
type Range struct{ Lo, Hi, Lo2, Hi2 uint64 }

// All is the range of every fragment.
var All = Range{Hi: math.MaxUint64}

// Contains says whether the packed first step p lies in r.
func (r Range) Contains(p uint64) bool { return r.Lo <= p && p < r.Hi }

// End is the code that the codes of r are below, nil where there is no such.
func (r Range) End() Code {
	if r.Hi == All.Hi {
		return nil
	}
	return EncodeSteps(nil, []Step{Unpack(r.Hi)})
}

// Splitter is implemented by spaces whose growth may be cut within one first step that occurs more
// often than memory holds. SecondSteps returns nil if it cannot be cut.
type Splitter interface{ SecondSteps() SecondSteps }

// SecondSteps calls f with the second step, packed, of each occurrence in t of a
// fragment of order 2 whose first step is the packed one.
type SecondSteps func(t *Tree, first uint64, f func(second uint64))

// Expecting is implemented by Items that can make room for all samples at once: slices that grow bit by
// bit may hold a quarter more than they need. Expect says that the samples so far are this share of all.
type Expecting interface{ Expect(share float64) }

// Items are samples in the flat form that growth reads. After Seal they are read-only, and goroutines
// share them.
type Items interface {
	// Add appends what growth in r needs of t; sample ids ascend.
	Add(sample uint32, t *Tree, r Range, l Limits)
	// Seal ends adding.
	Seal()
	// Grow visits every fragment whose first step lies in r, within l, in ascending code order: v is
	// called once for each pattern that has extensions, with all of them.
	Grow(r Range, w Weights, l Limits, v Visitor) (Counts, error)
	// Bytes is the memory held.
	Bytes() int64
	// Reset empties it and keeps the memory.
	Reset()
}
