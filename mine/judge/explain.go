package judge

// OrderCounts says what a pass did with the fragments of one order.
type OrderCounts struct {
	Candidates uint64 // seen fragments: from trees or from the store, below fragments that were not pruned
	Below      uint64 // seen fragments below the minimum support
	Counted    uint64 // seen fragments that the objective judged
	Pruned     uint64 // judged fragments below which nothing can be selected
	Kept       uint64 // judged fragments that reach the threshold
	Share      uint64 // share of ‖w‖² that the kept fragments have, in units of 2⁻⁶²; 0 if there is no w
}

// Explanation says what a pass did, by order; index 0 is unused.
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
