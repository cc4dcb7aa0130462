package judge

// OrderCounts says what a run did with the fragments of one order.
type OrderCounts struct {
	Candidates uint64 // seen: those that the trees hold, or are stored, below what was not pruned
	Below      uint64 // of them, below the minimum support
	Counted    uint64 // of them, judged by the objective
	Pruned     uint64 // of these, those below which nothing can be selected
	Kept       uint64 // and those that reach the threshold
	Share      uint64 // of ‖w‖² that these keep, in 2⁻⁶²; 0 where there is no w
}

// Explanation is what a run did, by order; index 0 is unused. It is the same whatever the workers, the
// memory and the machine. If only the best are kept, it is of a run that knows the last threshold from
// the start: before, what is pruned depends on the order of visits.
type Explanation []OrderCounts

// At returns the counts of an order.
func (x *Explanation) At(order int) *OrderCounts {
	for order >= len(*x) {
		*x = append(*x, OrderCounts{})
	}
	return &(*x)[order]
}

// Add adds y to x.
func (x *Explanation) Add(y Explanation) {
	for order := range y {
		x.At(order).add(&y[order])
	}
}

// Total returns the sums over all orders.
func (x Explanation) Total() (all OrderCounts) {
	for order := range x {
		all.add(&x[order])
	}
	return all
}

func (n *OrderCounts) add(m *OrderCounts) {
	n.Candidates += m.Candidates
	n.Below += m.Below
	n.Counted += m.Counted
	n.Pruned += m.Pruned
	n.Kept += m.Kept
	n.Share += m.Share
}
