package index

import "slices"

// Dependents are the dependents of each word of a dependency tree. It is filled again and
// again, and keeps its memory.
type Dependents struct {
	list  []int32 // tokens, by head, then in surface order
	start []int32 // those of word h, 0 the artificial root, are list[start[h]:start[h+1]]
}

// Fill lists the dependents in t.
func (d *Dependents) Fill(t *Tree) {
	n := len(t.Tokens)
	d.start = append(d.start[:0], make([]int32, n+2)...)
	for i := range t.Tokens {
		d.start[t.Tokens[i].Head+1]++
	}
	for h := 1; h < len(d.start); h++ {
		d.start[h] += d.start[h-1]
	}
	d.list = slices.Grow(d.list[:0], n)[:n]
	for i := range t.Tokens {
		h := t.Tokens[i].Head
		d.list[d.start[h]] = int32(i)
		d.start[h]++
	}
	// start[h] is where those of h end now.
	copy(d.start[1:], d.start)
	d.start[0] = 0
}

// Of returns the dependents of token h, -1 the artificial root, in surface order.
func (d *Dependents) Of(h int32) []int32 { return d.list[d.start[h+1]:d.start[h+2]] }
