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

// Explanation is what a run did, by order; index 0 is unused. It is the same whatever the
// workers, the memory and the machine. Where only the best are kept, it is what a run does that
// knows the last threshold from the start: before that is known, what is pruned depends on the
// order of visits.
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
		a, b := x.At(order), &y[order]
		a.Candidates += b.Candidates
		a.Below += b.Below
		a.Counted += b.Counted
		a.Pruned += b.Pruned
		a.Kept += b.Kept
		a.Share += b.Share
	}
}

// Share is what all that reaches the threshold keeps of ‖w‖².
func (x Explanation) Share() uint64 { return x.sum(func(n *OrderCounts) uint64 { return n.Share }) }

// Counted is the fragments of all orders that were judged.
func (x Explanation) Counted() uint64 {
	return x.sum(func(n *OrderCounts) uint64 { return n.Counted })
}

// Kept is the fragments of all orders that reach the threshold.
func (x Explanation) Kept() uint64 { return x.sum(func(n *OrderCounts) uint64 { return n.Kept }) }

// sum adds a count up over the orders.
func (x Explanation) sum(count func(*OrderCounts) uint64) (n uint64) {
	for i := range x {
		n += count(&x[i])
	}
	return n
}
