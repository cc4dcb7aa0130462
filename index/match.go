package index

import "fmt"

// Match is how a fragment matches a sample: Count occurrences, and in Decaying spaces
// the sum of their values.
type Match struct{ Count, Weight float64 }

// MaxLocated is how many matches of a fragment in one tree are located.
const MaxLocated = 1 << 16

// Occurrence is one match in a tree: the nodes (Constituency) or tokens
// (Dependency) it covers, ascending.
type Occurrence []int32

// Automaton is the expansion index over the stored codes of one space, an expansion.Index. Features is
// the largest feature id.
type Automaton interface{ Features() uint32 }

// Hit is one feature in a sample's vector.
type Hit struct {
	ID    uint32 // 1-based rank of the fragment in key order
	Order int32
	Match Match
}

// Matcher finds the indexed fragments of trees.
type Matcher interface {
	// Match returns the hits in ascending id, valid until the next call. More than budget visited
	// states (0: no limit) is an error.
	Match(t *Tree, budget int64) ([]Hit, error)
}

// OccurrenceError says that a fragment of this order occurs too often to be counted, or to be kept
// while it grows.
type OccurrenceError struct {
	Order  int
	Limit  uint64
	Sample uint32 // one in which it does, plus 1; 0: not known
}

func (e *OccurrenceError) Error() string {
	return fmt.Sprintf("a fragment of order %d occurs more than %s times: lower the maximum order, or choose a narrower space", e.Order, Thousands(e.Limit))
}

// DefaultBudget is the usual limit on the states that a matcher visits in one tree: some seconds of
// work.
const DefaultBudget = 100_000_000

// BudgetError says that a tree needs more than this many visited states.
type BudgetError int64

func (e BudgetError) Error() string {
	return fmt.Sprintf("more than %s visited states in one tree: raise --budget, or index fewer fragments", Thousands(int64(e)))
}

// Implying is implemented by spaces of which a construction (package pattern) implies fragments: every
// tree with a hit has them, so that their posting lists bound where hits can be. ok is false if it
// implies none with the space's options.
type Implying interface{ Implied() (im Implied, ok bool) }

// Implied says how the texts of a space's fragments read as patterns of trees.
type Implied struct {
	// Same says that the text of any fragment, read as a pattern, has the fragment's occurrences.
	Same bool

	// Of brackets: a fragment has all children of a node or none (Complete), and those down to
	// the words (Whole); without, it has any of them.
	Complete, Whole bool

	// Of arcs: < and > tell the sides of a head apart (Sides), and a fragment may have any
	// dependents of a head (Siblings), not one only. Spanned says that an option leaves out
	// some of these where heads are wide (index.Spanned).
	Sides, Siblings, Spanned bool
}
