package tag

import "fstore/index"

// width is how many symbols a row has for each state.
const width = len([2]state{})

// stateRows turns samples into sequences of states (package projection), for one goroutine.
type stateRows struct {
	s      Space
	syms   *index.Symbols
	wanted func(sym uint32) bool // nil if all are wanted
	row    []uint32
	key    []byte
}

// of returns the states of t as symbols. A symbol that is unknown or not wanted is 0. The result is valid
// until the next call.
func (r *stateRows) of(t *index.Tree) []uint32 {
	a := alphabetOf(t)
	a.id = r.syms.Lookup(index.Features, []byte(a.name))
	r.row = r.row[:0]
	r.s.each(t, func(_ int, st state) {
		for _, x := range st.both() {
			r.row = append(r.row, r.symbol(&a, x))
		}
	})
	return r.row
}

func (r *stateRows) symbol(a *alphabet, st state) uint32 {
	if a.id == 0 || st.tag == 0 {
		return 0
	}
	r.key = a.appendKey(r.key[:0], st)
	sym := r.syms.Lookup(index.Features, r.key)
	if sym != 0 && r.wanted != nil && !r.wanted(sym) {
		return 0
	}
	return sym
}
