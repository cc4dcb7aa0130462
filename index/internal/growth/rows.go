package growth

import (
	"sync"

	"fstore/index"
)

// Rows are rows of symbols, for a space whose fragments are lists of symbols. They implement index.Items
// except for Add and Grow, and take 12 bytes a symbol.
type Rows struct {
	Nums []uint32 // the number of the symbol at each position, row by row; 0 for no symbol
	Ends []Row

	numbers  Numbering
	with     Inverted[position] // the positions of each symbol, after Seal
	counters sync.Pool          // *Counter, each with a slot for every symbol
}

// Row is a row of a sample: the positions from the End of the row before up to End-1.
type Row struct{ End, Sample uint32 }

// position is a position in the rows: an index into Nums, and the number of the row to which it belongs.
type position struct{ at, row uint32 }

// AddRow appends a row if syms is not empty. A 0 in syms stands for a position without a symbol.
func (r *Rows) AddRow(sample uint32, syms []uint32) {
	if len(syms) == 0 {
		return
	}
	for _, s := range syms {
		n := uint32(0)
		if s != 0 {
			n = r.numbers.Of(s)
		}
		r.Nums = append(r.Nums, n)
	}
	r.Ends = append(r.Ends, Row{uint32(len(r.Nums)), sample})
}

// Seal implements index.Items. It numbers the symbols and lists the positions of each symbol.
func (r *Rows) Seal() {
	renumbered := r.numbers.Sort()
	for i, old := range r.Nums {
		r.Nums[i] = renumbered[old]
	}
	r.with.Fill(len(r.numbers.Symbols()), func() {
		at := uint32(0)
		for i, row := range r.Ends {
			for ; at < row.End; at++ {
				r.with.Put(r.Nums[at], position{at, uint32(i)})
			}
		}
	})
}

// Bytes implements index.Items. Before Seal it includes the memory that Seal will add.
func (r *Rows) Bytes() int64 {
	return 4*int64(cap(r.Nums)) + 8*int64(cap(r.Ends)) + r.with.Bytes(cap(r.Nums)) + r.numbers.Bytes()
}

// Reset implements index.Items.
func (r *Rows) Reset() {
	r.numbers.Reset()
	r.with.Reset()
	r.Nums, r.Ends = r.Nums[:0], r.Ends[:0]
	r.counters = sync.Pool{}
}

// SymbolAt returns the symbol at a position, or 0 if the position has no symbol.
func (r *Rows) SymbolAt(position uint32) uint32 { return r.numbers.symbols[r.Nums[position]] }

// Following calls f with the entries that can follow the occurrences whose last symbols are at the given
// places. Place.At is the position of the symbol, and Place.From is the index of its row.
type Following func(last []Place, values []float64, f func([]Entry))

// Grow does most of the work of index.Items.Grow. With w.Lambda, reach[i] is an upper bound of the factor by
// which a match that ends at i grows in value. With the PlaceRule Ranks, the function `following` must copy
// Place.Root from an occurrence to its entries.
func (r *Rows) Grow(in index.Range, w index.Weights, l index.Limits, v index.Visitor, following Following, reach []float64, places PlaceRule) (index.Counts, error) {
	c, _ := r.counters.Get().(*Counter)
	if c == nil {
		c = NewCounter(r.numbers.Symbols(), 0, places)
	}
	c.Begin(w, l)
	first := r.with.Of(r.numbers.In(in))
	counts, err := c.Grow(v, nil, 1, func(e *Extension, _ int) error {
		if e == nil {
			return c.Segment(0, func(f func([]Entry)) { r.first(first, reach, f) })
		}
		last, values := c.Places(e), c.Values(e)
		return c.Segment(0, func(f func([]Entry)) { following(last, values, f) })
	})
	if err == nil {
		r.counters.Put(c) // another goroutine may have c from here on
	}
	return counts, err
}

// first calls f with one entry for each position, in chunks.
func (r *Rows) first(positions []position, reach []float64, f func([]Entry)) {
	entries := make([]Entry, 0, min(len(positions), Chunk))
	rank := uint32(0) // among the positions in the row that have the symbol
	for i, p := range positions {
		if i == 0 || positions[i-1].row != p.row || r.Nums[positions[i-1].at] != r.Nums[p.at] {
			rank = 0
		}
		rank++
		entries = append(entries, Entry{
			Num: r.Nums[p.at], Sample: r.Ends[p.row].Sample,
			Place: Place{At: p.at, From: p.row, Root: rank}, W: 1,
		})
		if reach != nil {
			e := &entries[len(entries)-1]
			e.Value, e.Most = 1, reach[p.at]
		}
		if len(entries) == Chunk || i+1 == len(positions) {
			f(entries)
			entries = entries[:0]
		}
	}
}
