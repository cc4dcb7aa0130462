// Package walk is the common part of the matchers of the spaces dep, emb, ptk and seq (index/README.md,
// "Matching"). Such a matcher grows the stored codes along a sample, depth first. A state is a stored code
// with its occurrences in the sample. Each space has its own form of occurrences. States and hits come in
// code order. In dep, emb and ptk, a matcher finds the stored extensions of a state by these calls, for one
// Off (index.Step) after another:
//
//	for each occurrence: w.Count(number, …)               // the number of its symbol
//	found, end = w.Stored(found, record, off, end)        // the symbols that are stored
//	for each occurrence again: at, ok := w.Place(number)  // if ok, store it at index `at`
//	w.Free()
//
// The package imports index and expansion.
package walk

import (
	"slices"

	"fstore/index"
	"fstore/index/expansion"
)

// Walk is the state of one matcher that walks through the expansion index for each of its samples.
type Walk struct {
	Index *expansion.Index
	// Symbols are the symbols of the sample that occur in stored codes, ascending. The number of a symbol
	// is its index here.
	Symbols []uint32

	slots  []slot
	seen   []uint32 // numbers of slots in use
	hits   []index.Hit
	visits int64
	budget int64
}

// slot counts the occurrences of one symbol while the walk reads extensions with the same Off.
type slot struct {
	n, next      uint32 // number of occurrences; place of the next occurrence plus 1, or 0 for no place
	count, value float64
}

// Found is a stored extension of a state. If longer codes extend it further, [From, To) are the indexes of
// its occurrences.
type Found struct {
	Record       expansion.Record
	Step         index.Step
	Entries      uint32 // number of its occurrences
	From, To     uint32
	Count, Value float64 // sums over its occurrences
}

// Begin starts the walk over a new sample. The budget limits the occurrences that the walk visits; 0 means no
// limit.
func (w *Walk) Begin(budget int64) {
	w.Free() // an error may have left slots in use
	w.hits, w.visits, w.budget = w.hits[:0], 0, budget
	w.Symbols = w.Symbols[:0]
}

// Numbered sorts Symbols and removes repetitions. Call it after all symbols are appended.
func (w *Walk) Numbered() {
	slices.Sort(w.Symbols)
	w.Symbols = slices.Compact(w.Symbols)
	for len(w.slots) < len(w.Symbols) {
		w.slots = append(w.slots, slot{})
	}
}

// NumberOf returns the number of a symbol; ok is false if the symbol has no number.
func (w *Walk) NumberOf(sym uint32) (n uint32, ok bool) {
	i, ok := slices.BinarySearch(w.Symbols, sym)
	return uint32(i), ok
}

// Visit counts n more visits. It returns an index.BudgetError if all visits together exceed the budget.
func (w *Walk) Visit(n int) error {
	if w.visits += int64(n); w.visits > w.budget && w.budget > 0 {
		return index.BudgetError(w.budget)
	}
	return nil
}

// Hit adds a hit of the feature with this id, unless the id is 0. Ids ascend from call to call.
func (w *Walk) Hit(id uint32, order int, count, value float64) {
	if id != 0 {
		w.hits = append(w.hits, index.Hit{ID: id, Order: int32(order), Match: index.Match{Count: count, Weight: value}})
	}
}

// Hits returns the hits since Begin.
func (w *Walk) Hits() []index.Hit { return w.hits }

// Count adds an occurrence of the symbol w.Symbols[n], with its number of matches and the sum of their
// values.
func (w *Walk) Count(n uint32, count, value float64) {
	s := &w.slots[n]
	if s.n++; s.n == 1 {
		w.seen = append(w.seen, n)
	}
	s.count += count
	s.value += value
}

// Stored appends to dst each stored extension of r by a counted symbol, in ascending order. It numbers the
// occurrences that longer stored codes extend, from `firstPlace` to end-1 (see Place).
func (w *Walk) Stored(dst []Found, r *expansion.Record, off, firstPlace uint32) (_ []Found, end uint32) {
	slices.Sort(w.seen) // numbers ascend as symbols do
	for _, n := range w.seen {
		step, s := index.Step{Off: off, Sym: w.Symbols[n]}, &w.slots[n]
		below, ok := w.Index.Step(r, step)
		if !ok {
			continue
		}
		fd := Found{below, step, s.n, firstPlace, firstPlace, s.count, s.value}
		if below.N != 0 {
			s.next = firstPlace + 1
			firstPlace += s.n
			fd.To = firstPlace
		}
		dst = append(dst, fd)
	}
	return dst, firstPlace
}

// Place returns the index at which to store the next occurrence with symbol number n. If the occurrence need
// not be stored, ok is false.
func (w *Walk) Place(n uint32) (at uint32, ok bool) {
	s := &w.slots[n]
	if s.next == 0 {
		return 0, false
	}
	s.next++
	return s.next - 2, true
}

// Free empties the slots that Count has filled.
func (w *Walk) Free() {
	for _, n := range w.seen {
		w.slots[n] = slot{}
	}
	w.seen = w.seen[:0]
}
