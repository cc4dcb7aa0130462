package index

// Kernel evaluates the space's kernel. Trees come prepared, so that a matrix
// prepares each once.
type Kernel interface {
	// Prepare returns a tree in the kernel's own form, which does not refer to t. A tree with too many
	// fragments is an error if the kernel has to list them.
	Prepare(t *Tree) (any, error)
	// Eval returns K(a, b) of two prepared trees.
	Eval(a, b any) Number
}

// Offset is implemented by kernels that are more than the dot product over all fragments:
// every value is that plus Offset (poly's empty set, which is no fragment).
type Offset interface{ Offset() float64 }

// Quadratic is implemented by kernels that take long on a tree that is much like itself. SelfSteps is
// how many pairs of nodes Eval(a, a) looks at: about 10 ns each.
type Quadratic interface{ SelfSteps(a any) int64 }

// Merging is implemented by kernels that evaluate at once what many trees have in common.
type Merging interface {
	Kernel
	// Merge merges prepared trees.
	Merge(prepared []any) Merged
	// Sums sets dst, by component of m, so that K(x, tree i of m) = Σ over the components c of i of
	// count · dst[c]. What is beyond a float64 is +Inf or NaN. m is of a kernel of this space and λ.
	Sums(dst []float64, m Merged, x any)
}

// Pairing is implemented by merging kernels that evaluate components against components: trees
// that have much in common, such as the parses of a sentence, are merged on both sides.
type Pairing interface {
	Merging
	// Pairs calls f with components x of a and y of b, and C, so that K(tree i of a, tree j of b) = Σ
	// over the components of both of count · count · C. It may leave out a C of 0. It leaves out
	// components of b that are not wanted. The rest is as for Sums.
	Pairs(a, b Merged, wanted []bool, f func(x, y uint32, c float64))
}

// Merged is many prepared trees, each a multiset of components. It is read-only, and goroutines share it.
type Merged interface {
	// Components is the number of components.
	Components() int
	// Of returns the components of tree i, ascending, and how often it has each.
	Of(i int) (components, counts []uint32)
}

// Multisets are the components of trees, for a Merged to embed. A tree's components ascend.
type Multisets struct {
	Component, Count []uint32
	end              []uint32 // tree i has those up to end[i]
	n                int
}

// Add adds a component that the present tree has count times more. Equal ones come one after the other.
func (m *Multisets) Add(component, count uint32) {
	last := len(m.Component) - 1
	if uint32(last+1) > from(m.end, len(m.end)) && m.Component[last] == component {
		m.Count[last] += count
		return
	}
	m.n = max(m.n, int(component)+1)
	m.Component, m.Count = append(m.Component, component), append(m.Count, count)
}

// End ends the present tree.
func (m *Multisets) End() { m.end = append(m.end, uint32(len(m.Component))) }

// Components implements Merged.
func (m *Multisets) Components() int { return m.n }

// Of implements Merged.
func (m *Multisets) Of(i int) (components, counts []uint32) {
	a, b := from(m.end, i), m.end[i]
	return m.Component[a:b], m.Count[a:b]
}

// SumOf is K(x, tree i of m), from what Merging.Sums has made of x.
func SumOf(m Merged, sums []float64, i int) (k float64) {
	components, counts := m.Of(i)
	for n, c := range components {
		k += float64(float64(counts[n]) * sums[c])
	}
	return k
}

// Apart is that of n trees, each of which is a component of its own.
func Apart(n int) (m Multisets) {
	for i := range n {
		m.Add(uint32(i), 1)
		m.End()
	}
	return m
}

// Growable is implemented by merged trees whose components can be grown as samples. The fragments of a
// component are those rooted there, and a tree has them as often as it has the component. A fragment
// occurs in a component at least as often as its extensions, and its value falls with its order.
type Growable interface {
	Merged
	// Items returns the components as samples, not sealed, for growth within l, and counts their roots.
	Items(s *Symbols, l Limits, tally *Tally) Items
}

// Widening is implemented by merged trees whose fragments can be grown at several positions
// of their frontier in one step (Pighin & Moschitti 2010, §5: EXPAND).
type Widening interface {
	Growable
	// Bases calls f with each fragment of order 1, ascending.
	Bases(f func(*Pattern))
	// Widen calls f with each fragment that expands exactly n positions of p by one level. possible says
	// whether a fragment of an order that occurs in these components only can be wanted.
	Widen(p *Pattern, n int, possible func(order int, components []uint32) bool, f func(*Pattern))
}

// Pattern is a fragment with its occurrences, for Widening.
type Pattern struct {
	Code       Code
	Order      int
	Components []uint32 // that it occurs in, ascending
	State      any      // the space's own
}

// Shared calls f with the places of the elements that two ascending lists share, ascending. Of equal
// elements the first of one goes with the first of the other, and so on.
func Shared[T any](a, b []T, compare func(x, y T) int, f func(i, j int)) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch c := compare(a[i], b[j]); {
		case c < 0:
			i++
		case c > 0:
			j++
		default:
			f(i, j)
			i, j = i+1, j+1
		}
	}
}
