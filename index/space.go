package index

import (
	"fmt"
	"math"

	"fstore/index/glob"
)

// Space is a fragment space: which fragments exist, how they are written,
// grown, matched and valued (ALGORITHMS.md §2). It is stateless and shared by
// goroutines; what holds state (Items, Kernel, Matcher) is made per goroutine or
// is read-only once filled.
type Space interface {
	// ID is the name with the canonical options; equal IDs mean the same space.
	ID() string

	// Prepare interns what the space needs of t beyond what its reader interned
	// (arc features). It is called in input order, once a sample.
	Prepare(t *Tree, s *Symbols)
	// Tally counts the root occurrences of t, by first step.
	Tally(t *Tree, s *Symbols, sample uint32, tally *Tally)
	// NewItems returns an empty collection of samples in the form that Grow reads.
	NewItems(s *Symbols) Items
	// Grow visits every fragment of it whose first step lies in r, within l, in
	// ascending code order: v is called once for each pattern that has
	// extensions, with all of them. A negative w means no weights.
	Grow(it Items, r Range, w Weights, l Limits, v Visitor) (Counts, error)

	// Order is the number of building blocks of c.
	Order(c Code) int
	// Parts appends the distinct legal components one order down, in no
	// particular order: every sample with c has each of them.
	Parts(dst []Code, c Code, s *Symbols) []Code
	// AppendText appends the fragment's text form (DESIGN.md §4, escapes).
	AppendText(dst []byte, c Code, s *Symbols) []byte
	// ParseText reads a text form. An unknown symbol is ErrAbsent; text that is
	// no fragment is another error.
	ParseText(text string, s *Symbols) (Code, error)
	// Check says whether a stored code is well formed over s: whatever comes
	// from a store passes it before the other methods see it.
	Check(c Code, s *Symbols) error
	// Locate returns the matches of c in t, in order of their roots: the first MaxLocated,
	// as there can be exponentially many.
	Locate(t *Tree, c Code, s *Symbols) []Occurrence

	// Value is the kernel's feature value of a fragment of this order that
	// matches as m says: in stk Count·λ^(order/2), where matches decay m.Weight.
	Value(order int, m Match, lambda float64) float64
	// NewKernel returns an evaluator, for one goroutine.
	NewKernel(s *Symbols, lambda float64) Kernel
	// NewMatcher returns a walker over the stored fragments, for one goroutine; the
	// weights of matches that decay are for lambda.
	NewMatcher(x Automaton, s *Symbols, lambda float64) Matcher
}

// Decaying is implemented by spaces in which not all matches of a fragment, or not all
// fragments of an order, have one value (seq, emb, ptk): their matchers set
// Match.Weight, which is the feature value.
type Decaying interface {
	// Weight is the value of one match of c without gaps.
	Weight(c Code, s *Symbols, lambda float64) float64
}

// Covering is implemented by spaces whose closed fragments can stand for others:
// only these can be indexed with Limits.Closed.
type Covering interface {
	// Covers says whether every occurrence of big is, at the same root, one of small.
	Covers(big, small Code, s *Symbols) bool
}

// Frontier is implemented by spaces whose steps expand positions of a frontier:
// the expansion index needs to know how a step moves them.
type Frontier interface {
	// Width is the number of positions that a step with this symbol puts in place
	// of the one that it expands.
	Width(sym uint32, s *Symbols) int
}

// OfProductions is implemented by spaces whose codes are of productions, and of words or
// labels: of a new tree's other symbols they need nothing but that they differ.
type OfProductions interface{ OfProductions() }

// Templated is implemented by spaces whose symbols are of several kinds.
type Templated interface {
	// AppendTemplate appends the template of a fragment (QL15): its shape, with the
	// kind of each symbol in the symbol's place. Two fragments have the same
	// template where these texts are equal.
	AppendTemplate(dst []byte, c Code, s *Symbols) []byte
	// KindOf numbers the kinds of symbols, densely from 0: a template depends on the
	// offsets of the steps and the kinds of their symbols, and on nothing else.
	KindOf(sym uint32, s *Symbols) uint32
}

// Labelled is implemented by spaces whose fragments may print with a label for each of
// their nodes, as those of dependency trees do.
type Labelled interface {
	// LabelFields names the fields of the tokens that a label is made of, in order; it
	// is empty where nodes have no label of their own.
	LabelFields() []string
	// Surface says whether a text has its nodes in the order of the sentence.
	Surface() bool
	// AppendLabels appends the labels of c's nodes in the order of its text, of each a
	// Words id for each field; head is the place of the root among the nodes.
	AppendLabels(dst []uint32, c Code, s *Symbols) (labels []uint32, head int)
	// AppendTokens appends the labels that the tokens of t have as nodes.
	AppendTokens(dst []uint32, t *Tree) []uint32
}

// Relating is implemented by spaces whose fragments may tell dependency trees apart that
// differ in their relations only.
type Relating interface {
	// Relations says whether they do.
	Relations() bool
}

// Patterned is implemented by spaces whose fragments are found by patterns: by texts
// with glob.Wildcard and glob.Rest in them.
type Patterned interface {
	// Tree sets t to the fragment as a labelled tree. It is an error where c is no
	// code, as far as that is seen here.
	Tree(t *glob.Tree, c Code, s *Symbols) error
	// ParsePattern reads a fragment's text in which a name may be a wildcard and a child
	// may be the rest, for trees that Tree sets. Errors are those of Space.ParseText.
	ParsePattern(text string, s *Symbols) (*glob.Pattern, error)
	// Above returns the pattern that fits, somewhere, c and each fragment of which c is a
	// part, a part of a part and so on, and no other (Space.Parts).
	Above(c Code, s *Symbols) *glob.Pattern
}

// Additive is implemented by spaces that can be grown in parts of the samples, and the
// parts added up: what extends a fragment there is what extends it in the whole, each
// step is one more in order, and Items can be used again after Reset.
type Additive interface {
	// Additive says whether the space is so after all.
	Additive() bool
}

// Flat is implemented by spaces in which a code that continues another is not of a
// fragment below it: what is true of a fragment tells nothing of those (st).
type Flat interface{ Flat() }

// Valued is implemented by spaces in which a sample can have what extends a fragment more
// often than the fragment, or in which matches of one fragment differ in value (dep, seq,
// emb, ptk): with Weights.Lambda, growth sums values there, not occurrences, and bounds
// those of all that is below (Batch.Most). In the others occurrences fall along
// extensions, and their value is one for each order.
type Valued interface{ Valued() }

// Range is an interval of first steps, packed; Hi is exclusive. Where Hi2 is not 0, it
// is one first step, and only the fragments in it whose second step lies in Lo2, Hi2:
// for a Splitter, which none but it is given.
type Range struct{ Lo, Hi, Lo2, Hi2 uint64 }

// All is the range of every fragment.
var All = Range{Hi: math.MaxUint64}

// Contains says whether the packed first step p lies in r.
func (r Range) Contains(p uint64) bool { return r.Lo <= p && p < r.Hi }

// Splitter is implemented by spaces whose growth can be cut within one first step,
// where the occurrences of that are more than memory holds.
type Splitter interface {
	// SecondSteps returns what lists the steps to cut by, nil where the space is none
	// after all.
	SecondSteps() SecondSteps
}

// SecondSteps calls f with the second step, packed, of each occurrence in t of a
// fragment of order 2 whose first step is the packed one.
type SecondSteps func(t *Tree, first uint64, f func(second uint64))

// Items are samples in the flat form that growth reads, see Space.NewItems. They
// are read-only, and shared by goroutines, after Seal.
type Items interface {
	// Add appends what growth in r needs of t; sample ids ascend.
	Add(sample uint32, t *Tree, r Range, l Limits)
	// Seal ends adding.
	Seal()
	// Bytes is the memory held.
	Bytes() int64
	// Reset empties it and keeps the memory.
	Reset()
}

// Tally counts, by packed first step, occurrences and samples: the loads that
// root ranges are cut by. Counts are dense per Off.
type Tally struct{ rows []tallyRow }

type tallyRow struct{ occ, support, last []uint32 }

// Add counts one occurrence of s in a sample; samples ascend.
func (t *Tally) Add(s Step, sample uint32) {
	for int(s.Off) >= len(t.rows) {
		t.rows = append(t.rows, tallyRow{})
	}
	r := &t.rows[s.Off]
	if n := int(s.Sym) + 1; n > len(r.occ) {
		n += n / 2
		r.occ = append(r.occ, make([]uint32, n-len(r.occ))...)
		r.support = append(r.support, make([]uint32, n-len(r.support))...)
		r.last = append(r.last, make([]uint32, n-len(r.last))...)
	}
	r.occ[s.Sym]++
	if r.last[s.Sym] != sample+1 {
		r.last[s.Sym] = sample + 1
		r.support[s.Sym]++
	}
}

// Support is the number of samples that hold first step s.
func (t *Tally) Support(s Step) uint32 {
	if int(s.Off) >= len(t.rows) || int(s.Sym) >= len(t.rows[s.Off].support) {
		return 0
	}
	return t.rows[s.Off].support[s.Sym]
}

// Each calls f for every counted first step, ascending.
func (t *Tally) Each(f func(s Step, occ, support uint32)) {
	for off := range t.rows {
		r := &t.rows[off]
		for sym, n := range r.occ {
			if n > 0 {
				f(Step{uint32(off), uint32(sym)}, n, r.support[sym])
			}
		}
	}
}

// Limits bound growth. The zero value bounds nothing.
type Limits struct {
	MinSupport uint32 // extensions with less are counted, not visited
	MaxOrder   int    // 0: any
	Closed     bool   // fill Batch.Closed, and skip branches that hold nothing closed
	NoSamples  bool   // leave Batch.Sample empty
}

// Weights holds at most one of the two. Class (by sample id; 1 = A, 2 = B) counts
// a sample once: chi2, gradient. Occ (by sample id, signed) is summed over
// occurrences in ascending order: relevance.
type Weights struct {
	Class []uint8
	Occ   []float64
	// Lambda, with Occ and for a Valued space only, is the decay of the kernel: what is
	// weighed is the value that a sample gives the fragment, not its occurrences there.
	Lambda float64
}

// Sum returns the weights of samples, which ascend, with the number of occurrences in
// each, by sign.
func (w Weights) Sum(samples, counts []uint32) (pos, neg float64) {
	for i, s := range samples {
		if w.Occ != nil {
			if x := float64(w.Occ[s] * float64(counts[i])); x > 0 {
				pos += x
			} else {
				neg -= x
			}
			continue
		}
		switch w.Class[s] {
		case 1:
			pos++
		case 2:
			neg++
		}
	}
	return pos, neg
}

// SumValues is Sum of one value in each of the samples, in place of its occurrences.
func (w Weights) SumValues(samples []uint32, values []float64) (pos, neg float64) {
	for i, s := range samples {
		if x := float64(w.Occ[s] * values[i]); x > 0 {
			pos += x
		} else {
			neg -= x
		}
	}
	return pos, neg
}

// Counts says what growth saw, by order: the candidates, which are the fragments
// that occur and whose canonical parent was grown, and of them those below the
// support threshold. Index 0 is unused.
type Counts struct{ Candidates, Below []uint64 }

// Count adds candidates of one order. None are not counted: the counts end with the largest
// order of a candidate, however they were come by.
func (c *Counts) Count(order int, candidates, below uint64) {
	if candidates == 0 && below == 0 {
		return
	}
	for order >= len(c.Candidates) {
		c.Candidates = append(c.Candidates, 0)
		c.Below = append(c.Below, 0)
	}
	c.Candidates[order] += candidates
	c.Below[order] += below
}

// Add adds d to c.
func (c *Counts) Add(d Counts) {
	for o := range d.Candidates {
		c.Count(o, d.Candidates[o], d.Below[o])
	}
}

// Batch is all extensions of one pattern within the limits, in ascending code
// order. Its slices are reused: a Visitor copies what it keeps.
type Batch struct {
	Parent Code // empty for the first steps
	Order  int  // of the extensions; 0 where they differ, see Orders

	// Extension i has the code Parent + Suffix[SuffixEnd[i-1]:SuffixEnd[i]].
	Suffix    []byte
	SuffixEnd []uint32
	Orders    []int // set where Order is 0

	Support, Occ []uint32
	// The samples of extension i's occurrences, ascending, are
	// Sample[SampleEnd[i-1]:SampleEnd[i]]: a sample as often as it occurs, or,
	// where Count is set, once, with the number of its occurrences beside it.
	Sample    []uint32
	Count     []uint32
	SampleEnd []uint32

	A, B []float64 // sums of the weights by sign, where there are weights
	// With Weights.Lambda: of no fragment below extension i is A or B above Most[i]. It
	// may be infinite, or no number where nothing is known.
	Most   []float64
	Closed []bool // with Limits.Closed
	// Set by the visitor before it returns; Descend is false on entry.
	Descend []bool
}

// Len is the number of extensions.
func (b *Batch) Len() int { return len(b.SuffixEnd) }

// SuffixOf returns the steps that extension i has beyond Parent.
func (b *Batch) SuffixOf(i int) []byte { return b.Suffix[from(b.SuffixEnd, i):b.SuffixEnd[i]] }

// SamplesOf returns the samples of extension i's occurrences.
func (b *Batch) SamplesOf(i int) []uint32 { return b.Sample[from(b.SampleEnd, i):b.SampleEnd[i]] }

// CountsOf returns the occurrences in each of SamplesOf, nil where a sample stands
// there as often as it occurs.
func (b *Batch) CountsOf(i int) []uint32 {
	if b.Count == nil {
		return nil
	}
	return b.Count[from(b.SampleEnd, i):b.SampleEnd[i]]
}

// OrderOf is the order of extension i.
func (b *Batch) OrderOf(i int) int {
	if b.Order == 0 {
		return b.Orders[i]
	}
	return b.Order
}

func from(ends []uint32, i int) uint32 {
	if i == 0 {
		return 0
	}
	return ends[i-1]
}

// Visitor receives batches. An error ends growth and is returned by Grow.
type Visitor interface{ Visit(*Batch) error }

// Match is how a fragment matches a sample: Count occurrences, and in Decaying spaces
// the sum of their values.
type Match struct{ Count, Weight float64 }

// MaxLocated is how many matches of a fragment in one tree are located.
const MaxLocated = 1 << 16

// Occurrence is one match in a tree: the nodes (Constituency) or tokens
// (Dependency) it covers, ascending.
type Occurrence []int32

// Kernel evaluates the space's kernel. Trees come prepared, so that a matrix
// prepares each once.
type Kernel interface {
	// Prepare returns a tree in the kernel's own form; it does not refer to t. It
	// is an error where the kernel has to list a tree's fragments and there are
	// too many.
	Prepare(t *Tree) (any, error)
	// Eval returns K(a, b) of two prepared trees.
	Eval(a, b any) Number
}

// Offset is implemented by kernels that are more than the dot product over all fragments:
// every value is that plus Offset (poly's empty set, which is no fragment).
type Offset interface{ Offset() float64 }

// Quadratic is implemented by kernels that take long on a tree that is much like itself.
type Quadratic interface {
	// SelfSteps is how many pairs of nodes Eval(a, a) looks at: about 10 ns each.
	SelfSteps(a any) int64
}

// Merging is implemented by kernels that evaluate a tree against many others at once,
// faster than one by one: what those have in common is evaluated once.
type Merging interface {
	Kernel
	// Merge merges prepared trees.
	Merge(prepared []any) Merged
	// Sums sets dst, which has an element for each component of m, so that K(x, tree i of
	// m) = Σ over the components c of i of count · dst[c]; what is beyond a float64 is
	// +Inf or NaN. m is of a kernel of the same space and λ.
	Sums(dst []float64, m Merged, x any)
}

// Merged is many prepared trees, each a multiset of components. It is read-only: the
// kernels of all goroutines share it.
type Merged interface {
	// Components is the number of components.
	Components() int
	// Of returns the components of tree i, ascending, and how often it has each.
	Of(i int) (components, counts []uint32)
}

// Growable is implemented by merged trees whose fragments can be grown as those of
// samples, each component being one: its fragments are those rooted where the component
// is, and a tree has what a component has as often as it has the component. A fragment
// occurs in a component at least as often as each of its extensions, and its value falls
// with its order.
type Growable interface {
	Merged
	// Items returns the components as samples, not sealed, for growth within l, and
	// counts their roots.
	Items(s *Symbols, l Limits, tally *Tally) Items
}

// Widening is implemented by merged trees whose fragments can be grown at several positions
// of their frontier in one step (Pighin & Moschitti 2010, §5: EXPAND).
type Widening interface {
	Growable
	// Bases calls f with each fragment of order 1, ascending.
	Bases(f func(*Pattern))
	// Widen calls f with each fragment that expands exactly n positions of p by one level.
	// Of the components of occurrences, possible says whether any fragment of an order that
	// occurs in no others can be wanted: what is not is passed over.
	Widen(p *Pattern, n int, possible func(order int, components []uint32) bool, f func(*Pattern))
}

// Pattern is a fragment with its occurrences, for Widening.
type Pattern struct {
	Code       Code
	Order      int
	Components []uint32 // that it occurs in, ascending
	State      any      // the space's own
}

// Automaton is the expansion index over the stored codes of one space, see
// package index/expansion. A space's matcher knows its concrete form.
type Automaton interface {
	// Features is the largest feature id.
	Features() uint32
}

// Hit is one feature in a sample's vector.
type Hit struct {
	ID    uint32 // 1-based rank of the fragment in key order
	Order int32
	Match Match
}

// Matcher finds the indexed fragments of trees.
type Matcher interface {
	// Match returns the hits in ascending id; the slice is valid until the next
	// call. More than budget visited states (0: no limit) is an error.
	Match(t *Tree, budget int64) ([]Hit, error)
}

// OccurrenceError says that a fragment of some order occurs more often than is
// counted, or kept while it grows.
type OccurrenceError struct {
	Order int
	Limit uint64
}

func (e *OccurrenceError) Error() string {
	return fmt.Sprintf("a fragment of order %d occurs more than %s times: lower the maximum order, or choose a narrower space", e.Order, Thousands(e.Limit))
}

// DefaultBudget bounds the states that a matcher visits in one tree where nothing else is
// asked for: some seconds of work.
const DefaultBudget = 100_000_000

// BudgetError says that a tree needs more than this many visited states.
type BudgetError int64

func (e BudgetError) Error() string {
	return fmt.Sprintf("more than %s visited states in one tree: raise --budget, or index fewer fragments", Thousands(int64(e)))
}
