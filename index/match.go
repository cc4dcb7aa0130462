package index

import "fmt"

// Match says how a fragment matches a sample: the number of occurrences and, in Decaying spaces, the sum of
// their values.
type Match struct{ Count, Weight float64 }

// MaxLocated is the largest number of matches of a fragment in one tree that Locate returns.
const MaxLocated = 1 << 16

// Occurrence is one match in a tree: the nodes (Constituency) or tokens
// (Dependency) it covers, ascending.
type Occurrence []int32

// Automaton is the expansion index over the stored codes of one space: an expansion.Index. Features is the
// largest feature id.
type Automaton interface{ Features() uint32 }

// Hit is one feature in a sample's vector.
type Hit struct {
	ID    uint32 // 1-based rank of the fragment in key order
	Order int32
	Match Match
}

// Matcher finds the indexed fragments of trees.
type Matcher interface {
	// Match returns the hits in ascending id, valid until the next call. It is an error if it visits more
	// than budget states; a budget of 0 is no limit.
	Match(t *Tree, budget int64) ([]Hit, error)
}

// OccurrenceError says that a fragment of this order has more occurrences than can be counted, or kept during
// growth.
type OccurrenceError struct {
	Order  int
	Limit  uint64
	Sample uint32 // a sample in which it does, plus 1; 0 if not known
}

func (e *OccurrenceError) Error() string {
	return fmt.Sprintf("a fragment of order %d occurs more than %s times: lower the maximum order, or choose a narrower space", e.Order, Thousands(e.Limit))
}

// DefaultBudget is the usual limit on the states that a matcher visits in one tree: some seconds of
// work.
const DefaultBudget = 100_000_000

// BudgetError says that a tree needs more visited states than this budget.
type BudgetError int64

func (e BudgetError) Error() string {
	return fmt.Sprintf("more than %s visited states in one tree: raise --budget, or index fewer fragments", Thousands(int64(e)))
}

// Implying is implemented by spaces in which a construction (package pattern) implies fragments: every tree
// with a hit has them. Their posting lists then say which trees can have hits. ok is false if, with the
// space's options, a construction implies no fragment.
type Implying interface{ Implied() (im Implied, ok bool) }

// Implied says how the text of a space's fragment reads as a pattern of trees.
type Implied struct {
	// Same says that the text of a fragment, read as a pattern, has the same occurrences as the fragment.
	Same bool

	// For brackets. Complete: a fragment has all children of a node, or none of them. Whole: it also goes
	// down to the words. Without Complete, a fragment has any of the children.
	Complete, Whole bool

	// For arcs. Sides: < and > say on which side of its head a word stands. Siblings: a fragment may have
	// several dependents of a head. Spanned: an option leaves out fragments whose nodes lie far apart
	// (index.Spanned).
	Sides, Siblings, Spanned bool
}
