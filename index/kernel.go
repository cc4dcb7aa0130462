package index

// Kernel evaluates the space's kernel. Trees are prepared first, so that a matrix prepares each tree once.
type Kernel interface {
	// Prepare returns a tree in the kernel's own form, which does not refer to t. Kernels that list fragments
	// return an error for a tree with too many fragments.
	Prepare(t *Tree) (any, error)
	// Eval returns K(a, b) of two prepared trees.
	Eval(a, b any) Number
}

// Offset is implemented by kernels that add a constant to the dot product over all fragments. In poly the
// constant comes from the empty set, which is not a fragment.
type Offset interface{ Offset() float64 }

// Quadratic is implemented by kernels that are slow on a tree with many repeated parts. SelfSteps is the
// number of node pairs in Eval(a, a), about 10 ns each.
type Quadratic interface{ SelfSteps(a any) int64 }

// Merging is implemented by kernels that evaluate a part only once if many trees have it.
type Merging interface {
	Kernel
	// Merge returns prepared trees as one Merged, in the same order.
	Merge(prepared []any) Merged
	// Sums sets dst[c] to what one occurrence of component c adds to the kernel with x (see SumOf). A value
	// too large for a float64 is +Inf or NaN. The kernel of m must have the same space and λ.
	Sums(dst []float64, m Merged, x any)
}

// Pairing is implemented by kernels that can also compare two Merged. This saves time if their trees have
// much in common, as the parses of one sentence do.
type Pairing interface {
	Merging
	// Pairs calls f(x, y, c) for components x of a, and components y of b for which wanted[y] is true. The
	// kernel of two trees is a sum over such pairs: c times the counts of x and y. If c is too large for a
	// float64, it is +Inf or NaN. The two kernels must have the same space and λ.
	Pairs(a, b Merged, wanted []bool, f func(x, y uint32, c float64))
}

// Merged is many prepared trees, each a multiset of components. It is read-only, and goroutines share it.
type Merged interface {
	// Components is the number of components, which are numbered from 0.
	Components() int
	// Of returns the components of tree i, ascending, and how often the tree has each.
	Of(i int) (components, counts []uint32)
}

// Multisets holds the components of trees, ascending within each tree.
type Multisets struct {
	Component, Count []uint32
	end              []uint32 // the components of tree i end at end[i]
	n                int
}

// Add adds a component to the present tree, count times. Equal components must come one after the other.
func (m *Multisets) Add(component, count uint32) {
	last := len(m.Component) - 1
	if uint32(last+1) > from(m.end, len(m.end)) && m.Component[last] == component {
		m.Count[last] += count
		return
	}
	m.n = max(m.n, int(component)+1)
	m.Component, m.Count = append(m.Component, component), append(m.Count, count)
}

// End ends the present tree. The next Add belongs to another tree.
func (m *Multisets) End() { m.end = append(m.end, uint32(len(m.Component))) }

// Components implements Merged.
func (m *Multisets) Components() int { return m.n }

// Of implements Merged.
func (m *Multisets) Of(i int) (components, counts []uint32) {
	a, b := from(m.end, i), m.end[i]
	return m.Component[a:b], m.Count[a:b]
}

// SumOf returns the kernel of x and tree i of m. `sums` is from Merging.Sums for x.
func SumOf(m Merged, sums []float64, i int) (k float64) {
	components, counts := m.Of(i)
	for n, c := range components {
		k += float64(float64(counts[n]) * sums[c])
	}
	return k
}

// Apart returns the Multisets of n trees that have nothing in common: tree i has only component i.
func Apart(n int) (m Multisets) {
	for i := range n {
		m.Add(uint32(i), 1)
		m.End()
	}
	return m
}

// Growable is implemented by merged trees in which growth can take each component as a sample:
//   - a component is the root of its fragments
//   - a tree has the fragments of a component as often as it has the component
//   - an extension occurs at most as often as its pattern, and has no larger value
type Growable interface {
	Merged
	// Items returns the components as samples, for growth within l. It adds their first steps to `tally`. The
	// caller must call Seal.
	Items(s *Symbols, l Limits, tally *Tally) Items
}

// Widening is implemented by merged trees whose fragments can grow at several frontier positions in one step
// (Pighin & Moschitti 2010, §5: EXPAND).
type Widening interface {
	Growable
	// Bases calls f with each fragment of order 1, ascending.
	Bases(f func(*Pattern))
	// Widen calls f with each fragment that expands exactly n frontier positions of p by one level. If
	// possible(order, components) is false, Widen may skip fragments of this order that occur in no other
	// component.
	Widen(p *Pattern, n int, possible func(order int, components []uint32) bool, f func(*Pattern))
}

// Pattern is a fragment with its occurrences, as Widening grows it.
type Pattern struct {
	Code       Code
	Order      int
	Components []uint32 // the components that the fragment occurs in, ascending
	State      any      // data of the space itself
}

// Shared calls f with the indexes of the elements that two ascending lists share, in order. It pairs the
// first occurrences of an element, then the second ones, and so on.
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
