package index

import (
	"cmp"
	"fmt"
	"slices"
)

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
	// Match returns the hits in ascending id, valid until the next call. It returns an error if it visits
	// more than budget states; a budget of 0 means no limit.
	Match(t *Tree, budget int64) ([]Hit, error)
}

// OccurrenceError says that a fragment of this order has more occurrences than can be counted, or kept during
// growth.
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

// BudgetError says that a tree needs more visited states than this budget.
type BudgetError int64

func (e BudgetError) Error() string {
	return fmt.Sprintf("more than %s visited states in one tree: raise --budget, or index fewer fragments", Thousands(int64(e)))
}

// Implying is implemented by spaces in which a construction (package pattern) implies fragments: every tree
// with a hit has these fragments. Their posting lists then say which trees can have hits. ok is false if,
// with the space's options, a construction implies no fragment.
type Implying interface{ Implied() (im Implied, ok bool) }

// Implied says how the text of a space's fragment reads as a pattern of trees.
type Implied struct {
	// Same says that the text of a fragment, read as a pattern, has the same occurrences as the fragment.
	Same bool

	// For spaces of brackets. If Complete is set, a fragment has all children of a node or none. Else it can
	// have some of the children. If Whole is set, a fragment also goes down to the words.
	Complete, Whole bool

	// For spaces of arcs. If Sides is set, < and > say on which side of its head a word stands. If Siblings
	// is set, a fragment can have several dependents of a head. If Spanned is set, an option leaves out
	// fragments whose nodes lie far apart (index.Spanned).
	Sides, Siblings, Spanned bool
}

// PlacedNodes are the nodes of a sample in preorder, as Preorder.LocateIn reads them.
type PlacedNodes struct {
	Label []uint32 // packed; 0 if there is none
	Size  []int32  // nodes in the subtree, each node included
	At    []int32  // the node or token of the sample
}

// LocateIn returns the matches of a code in the nodes of a sample. A child of the fragment matches a
// descendant of its parent's node. If direct is set, it matches only a child of that node. Siblings match
// nodes side by side. LocateIn returns the first MaxLocated matches in preorder.
func (Preorder) LocateIn(t PlacedNodes, c Code, direct bool) (sorted []Occurrence) {
	f, ok := (Preorder{}).Unfold(c)
	if !ok {
		return nil
	}
	l := &locator{PlacedNodes: t, f: f, direct: direct, row: make([]int, len(f))}
	l.findEnds()
	l.place(0, 0, len(t.Label))
	// Nodes of dependency trees are in preorder, but their tokens are not. So the matches are sorted by
	// token.
	slices.SortStableFunc(l.found, func(a, b located) int { return cmp.Compare(a.root, b.root) })
	for _, f := range l.found {
		slices.Sort(f.nodes)
		sorted = append(sorted, f.nodes)
	}
	return sorted
}

// locator maps the nodes of a fragment to the nodes of a sample, in preorder.
type locator struct {
	PlacedNodes
	f      []PreorderNode
	direct bool
	// fits[k][i] says whether the k-th node of the fragment, with all below it, matches node i. ends[k][i]
	// is the least end of a node that the k-th node matches, among node i and the nodes after it (with
	// direct, only among the siblings). If there is no such node, ends[k][i] is the number of nodes plus 1.
	// So every match that is begun can be completed.
	fits  [][]bool
	ends  [][]int
	row   []int
	found []located
}

// located is one match, and the node or token of its root.
type located struct {
	root  int32
	nodes Occurrence
}

func (l *locator) end(i int) int { return i + int(l.Size[i]) }

// next returns the next node after i to try for the k-th node of the fragment.
func (l *locator) next(k, i int) int {
	if l.direct && k > 0 {
		return l.end(i)
	}
	return i + 1
}

func (l *locator) findEnds() {
	n := len(l.Label)
	l.fits, l.ends = make([][]bool, len(l.f)), make([][]int, len(l.f))
	for k := len(l.f) - 1; k >= 0; k-- {
		fits, ends := make([]bool, n), make([]int, n+1)
		ends[n] = n + 1
		for i := n - 1; i >= 0; i-- {
			ends[i] = ends[l.next(k, i)]
			if l.Label[i] == l.f[k].Sym && l.placeable(k+1, k+l.f[k].Size, i+1, l.end(i)) {
				fits[i], ends[i] = true, min(ends[i], l.end(i))
			}
		}
		l.fits[k], l.ends[k] = fits, ends
	}
}

// placeable says whether the siblings from the k-th node up to last-1 match nodes from..to-1 side by side.
// Each takes the node that ends first.
func (l *locator) placeable(k, last, from, to int) bool {
	for ; k < last; k += l.f[k].Size {
		if from = l.ends[k][from]; from > to {
			return false
		}
	}
	return true
}

// place lists all matches of the nodes from the k-th on, where the k-th is among nodes from..to-1.
func (l *locator) place(k, from, to int) {
	later, last := k+l.f[k].Size, len(l.f) // the siblings to come
	if up := l.f[k].Parent; up >= 0 {
		last = up + l.f[up].Size
	}
	for i := from; i < to && len(l.found) < MaxLocated; i = l.next(k, i) {
		if !l.fits[k][i] || !l.placeable(later, last, l.end(i), to) {
			continue
		}
		l.row[k] = i
		switch {
		case k+1 == len(l.f):
			l.keep()
		case l.f[k].Size > 1:
			l.place(k+1, i+1, l.end(i))
		default:
			// Continue with the next sibling of this node. If it has no next sibling, continue with the next
			// sibling of the nearest node above that has one.
			before, up := k, l.f[k+1].Parent
			for l.f[before].Parent != up {
				before = l.f[before].Parent
			}
			l.place(k+1, l.end(l.row[before]), l.end(l.row[up]))
		}
	}
}

func (l *locator) keep() {
	o := make(Occurrence, len(l.row))
	for i, n := range l.row {
		o[i] = l.At[n]
	}
	l.found = append(l.found, located{o[0], o})
}
