package index

import "fmt"

// Match is the number of occurrences of a fragment in a sample and, in Decaying spaces, the sum of their
// values.
type Match struct{ Count, Weight float64 }

// MaxLocated is the largest number of matches of a fragment in one tree that Locate returns.
const MaxLocated = 1 << 16

// Occurrence is one match in a tree: its nodes (Constituency) or tokens (Dependency), ascending.
type Occurrence []int32

// Automaton is the expansion index over the stored codes of one space: an *expansion.Index, which this
// package cannot import. Features returns the largest feature id.
type Automaton interface{ Features() uint32 }

// Hit is one feature in a sample's vector.
type Hit struct {
	ID    uint32 // 1-based rank of the fragment in key order
	Order int32
	Match Match
}

// Matcher finds the indexed fragments of trees.
type Matcher interface {
	// Match returns the hits by ascending id. They are valid until the next call. It returns an error if it
	// visits more states than the budget; a budget of 0 means no limit.
	Match(t *Tree, budget int64) ([]Hit, error)
}

// OccurrenceError says that a fragment has more occurrences than can be counted or stored.
type OccurrenceError struct {
	Order  int
	Limit  uint64
	Sample uint32 // a sample in which the fragment occurs too often, plus 1; 0 if not known
}

func (e *OccurrenceError) Error() string {
	return fmt.Sprintf("a fragment of order %d occurs more than %s times: lower the maximum order, or choose a narrower space", e.Order, Thousands(e.Limit))
}

// DefaultBudget is the usual limit on the states that a matcher visits in one tree: some seconds of
// work.
const DefaultBudget = 100_000_000

// BudgetError says that a matcher would visit more states in one tree than its budget allows. The value is
// the budget.
type BudgetError int64

func (e BudgetError) Error() string {
	return fmt.Sprintf("more than %s visited states in one tree: raise --budget, or index fewer fragments", Thousands(int64(e)))
}

// Implying is implemented by spaces in which a construction (package pattern) implies fragments: every tree
// with a hit has them. Their posting lists then say which trees can have hits. `ok` is false if the options
// rule this out.
type Implying interface{ Implied() (im Implied, ok bool) }

// Implied compares the fragments of a space with patterns of trees.
type Implied struct {
	// Same says that the text of a fragment, read as a pattern, has the same occurrences as the fragment.
	Same bool

	// For spaces of brackets. Complete says that a fragment has all children of a node or none. Whole says
	// that a fragment also goes down to the words.
	Complete, Whole bool

	// For spaces of arcs:
	//   - Sides: < and > say on which side of its head a word stands
	//   - Siblings: a fragment can have several dependents of a head
	//   - Spanned: an option leaves out fragments whose nodes lie far apart (index.Spanned)
	Sides, Siblings, Spanned bool
}
