package index

import (
	"math"

	"fstore/index/glob"
)

// Space is a fragment space: it says which fragments exist, and how they are written, grown, matched and
// valued (index/README.md). It has no state, and goroutines share it.
type Space interface {
	// ID is the space's name with its options in canonical form. Spaces with equal IDs are the same.
	ID() string

	// Tally counts the occurrences of each first step in the tree t.
	Tally(t *Tree, s *Symbols, sample uint32, tally *Tally)
	// NewItems returns an empty collection of samples, in the form that growth reads.
	NewItems(s *Symbols) Items

	// Parts appends the distinct fragments that are c without one building block. Every sample with c has all
	// these fragments.
	Parts(dst []Code, c Code, s *Symbols) []Code
	// AppendText appends the fragment's text form (index/README.md, "Text").
	AppendText(dst []byte, c Code, s *Symbols) []byte
	// ParseText reads a text form. If a symbol is unknown, the error is ErrAbsent.
	ParseText(text string, s *Symbols) (Code, error)
	// Check says whether a code is well formed over s. The other methods must be given checked codes only.
	Check(c Code, s *Symbols) error
	// Locate returns the first MaxLocated matches of c in t, in order of their roots.
	Locate(t *Tree, c Code, s *Symbols) []Occurrence

	// NewKernel returns an evaluator, for one goroutine.
	NewKernel(s *Symbols, lambda float64) Kernel
	// NewMatcher returns a matcher of the stored fragments, for one goroutine. Values of matches decay by
	// lambda.
	NewMatcher(x Automaton, s *Symbols, lambda float64) Matcher
}

// Interning is implemented by spaces with symbols that the readers of samples do not intern (dep, poly, tag).
type Interning interface {
	// Prepare interns the symbols that the space needs for t.
	Prepare(t *Tree, s *Symbols)
}

// Prepare interns the symbols of t that readers leave to the space. A store calls Prepare for each sample it
// adds, in input order.
func Prepare(space Space, t *Tree, s *Symbols) {
	if x, ok := space.(Interning); ok {
		x.Prepare(t, s)
	}
}

// Decaying is implemented by spaces in which the value of a match depends on more than the order (seq, emb,
// ptk). Their matchers set Match.Weight.
type Decaying interface {
	// Weight is the value of one match of c without gaps.
	Weight(c Code, s *Symbols, lambda float64) float64
}

// Sized is implemented by spaces that do not use λ (poly).
type Sized interface {
	// ValueOf is the value of one match of a fragment of this order.
	ValueOf(order int) float64
}

// Value is the feature value of a fragment with match m (Pighin & Moschitti 2010, §3):
//   - in a Decaying space: m.Weight
//   - in a Sized space: Count·ValueOf(order)
//   - otherwise: Count·λ^(order/2)
func Value(space Space, order int, m Match, lambda float64) float64 {
	switch s := space.(type) {
	case Decaying:
		return m.Weight
	case Sized:
		return float64(m.Count * s.ValueOf(order))
	}
	return m.Count * math.Pow(lambda, float64(order)/2)
}

// Covering is implemented by spaces in which closed fragments can stand for the others (mine/README.md,
// "Closed fragments"). Only these spaces can be indexed with Limits.Closed.
type Covering interface {
	// Covers says whether the fragment small occurs at the root of every occurrence of the fragment big.
	Covers(big, small Code, s *Symbols) bool
}

// Frontier is implemented by spaces in which a step expands one position of a fragment's frontier.
type Frontier interface {
	// Width returns how many positions replace the one that a step with this symbol expands.
	Width(sym uint32, s *Symbols) int
}

// OfProductions is implemented by spaces whose codes have productions. In such a space, unknown symbols of a
// new tree can have any distinct ids.
type OfProductions interface{ OfProductions() }

// Templated is implemented by spaces whose symbols are of several kinds.
type Templated interface {
	// AppendTemplate appends the template of a fragment (QL15): its shape and the kinds of its symbols. Equal
	// bytes mean equal templates.
	AppendTemplate(dst []byte, c Code, s *Symbols) []byte
	// KindOf returns the kind of a symbol. Kinds are numbers from 0 without gaps. The template of a fragment
	// depends only on these kinds and on the offsets of the steps.
	KindOf(sym uint32, s *Symbols) uint32
}

// Labelled is implemented by spaces of dependency trees whose fragments can have labelled nodes.
type Labelled interface {
	// LabelFields returns the names of the token fields in a label, in order. It returns none if nodes have
	// no labels.
	LabelFields() []string
	// Surface says whether the nodes in a fragment's text stand in the order of the sentence.
	Surface() bool
	// AppendLabels appends the labels of the nodes of c, in the order of c's text, and returns the index of
	// the root. A label has one id of the class Words for each of the LabelFields.
	AppendLabels(dst []uint32, c Code, s *Symbols) (labels []uint32, head int)
	// AppendTokens appends for each token of t the label that a node for this token would have.
	AppendTokens(dst []uint32, t *Tree) []uint32
}

// Relating is implemented by spaces whose fragments can depend on the relations of dependency trees.
// Relations says whether they do.
type Relating interface{ Relations() bool }

// Sided is implemented by spaces whose fragments can say on which side of its head a word stands.
type Sided interface {
	// Sides says whether < and > in a text give the sides. If not, > stands for both sides.
	Sides() bool
	// SideFields says whether the texts give sides by a field such as dir=left, instead of < and >.
	SideFields() bool
	// OtherSides returns the texts that differ from this fragment or pattern only in the sides of words. If
	// there are too many texts, it returns none.
	OtherSides(text string) []string
}

// Spanned is implemented by spaces with an option that limits the distance between the dependents of one
// head.
type Spanned interface {
	// Span returns the option twice: as it is set, and with the value for no limit.
	Span() (option, unbounded string)
	// Wide returns the number of heads in t at which this option leaves out fragments within the limits l.
	Wide(t *Tree, l Limits) int
}

// Patterned is implemented by spaces whose fragments can be searched by texts with glob.Wildcard and
// glob.Rest.
type Patterned interface {
	// Tree sets t to the fragment as a labelled tree. It may return an error if c is not a code.
	Tree(t *glob.Tree, c Code, s *Symbols) error
	// ParsePattern reads the text of a fragment in which names may be wildcards and children may be `...`.
	// The errors are those of Space.ParseText.
	ParsePattern(text string, s *Symbols) (*glob.Pattern, error)
	// Above returns a pattern that finds c and all fragments that contain c, see glob.Matcher.FitsSomewhere.
	// A fragment contains c if repeated calls of Space.Parts lead from it to c.
	Above(c Code, s *Symbols) *glob.Pattern
}

// Additive says whether the results of growth in parts of the samples can be added up. If they can:
//   - a fragment has the same extensions in the parts
//   - each step adds one to the order
//   - Items can be used again after Reset
type Additive interface{ Additive() bool }

// Flat is implemented by spaces (st) in which no fragment extends another, although codes can share a prefix.
// So a bound for a fragment says nothing about longer codes.
type Flat interface{ Flat() }

// Valued is implemented by spaces (dep, seq, emb, ptk) with at least one of these properties:
//   - The matches of a fragment can differ in value.
//   - An extension can occur more often than the fragment.
//
// With Weights.Lambda, growth in these spaces sums values and sets Batch.Most.
type Valued interface{ Valued() }

// Splitter is implemented by spaces whose growth can be divided by second steps, if the occurrences of one
// first step do not fit in memory. SecondSteps returns nil if growth cannot be divided.
type Splitter interface{ SecondSteps() SecondSteps }

// SecondSteps calls f with the second step of each occurrence of order 2 in t that begins with the step
// `first`. Steps are given as Step.Packed.
type SecondSteps func(t *Tree, first uint64, f func(second uint64))

// Expecting is implemented by Items that can allocate memory in advance. Expect gets the share of samples
// added so far, from 0 to 1.
type Expecting interface{ Expect(share float64) }

// CodeReader reads the codes of a list, fastest in code order. It is for one goroutine.
type CodeReader interface {
	// Read checks a code, as Space.Check does. The other methods describe the code read last, which must be
	// valid.
	Read(c Code) error
	// Code is the code read last. It must not be changed.
	Code() Code
	// Order is the number of building blocks of the code, as Code.Len returns it.
	Order() int
	// AppendText appends the text of the code, as Space.AppendText does.
	AppendText(dst []byte) []byte
}

// Readable is implemented by spaces whose code reader reads only the steps that differ from the code before.
type Readable interface {
	NewCodeReader(s *Symbols) CodeReader
}

// NewCodeReader returns a reader for codes of a space. The codes have symbols from s.
func NewCodeReader(space Space, s *Symbols) CodeReader {
	if r, ok := space.(Readable); ok {
		return r.NewCodeReader(s)
	}
	return NewWholeCodeReader(space, s)
}

// NewWholeCodeReader returns a reader that reads every code from its first step on.
func NewWholeCodeReader(space Space, s *Symbols) CodeReader {
	return &wholeCodeReader{space: space, symbols: s}
}

type wholeCodeReader struct {
	space   Space
	symbols *Symbols
	code    Code
}

func (r *wholeCodeReader) Read(c Code) error {
	r.code = append(r.code[:0], c...)
	return r.space.Check(c, r.symbols)
}

func (r *wholeCodeReader) Code() Code { return r.code }

func (r *wholeCodeReader) Order() int { return r.code.Len() }

func (r *wholeCodeReader) AppendText(dst []byte) []byte {
	return r.space.AppendText(dst, r.code, r.symbols)
}
