package poly

import (
	"cmp"
	"slices"

	"fstore/index"
	"fstore/index/internal/growth"
)

// Packs implements index.Packs. It stores each pack as a row of basic features.
type Packs struct {
	syms     *index.Symbols
	maxOrder int
	keys     lister

	all  []packEntry // the rows of all packs, each by ascending symbol
	ends []int       // where the row of each pack ends

	row []uint32 // scratch: the features of one candidate
}

// packEntry is a basic feature of a pack, with a mask of the candidates that have it. In a packView, `sym` is
// the index in packView.syms.
type packEntry struct {
	mask uint64
	sym  uint32
}

// NewPacks implements index.Packing.
func (s *Space) NewPacks(syms *index.Symbols, maxOrder int) index.Packs {
	if maxOrder == 0 || maxOrder > s.degree {
		maxOrder = s.degree
	}
	return &Packs{syms: syms, maxOrder: maxOrder, keys: s.newLister(syms)}
}

// Add implements index.Packs.
func (p *Packs) Add(candidates []*index.Tree) {
	first := len(p.all)
	for k, t := range candidates {
		p.row = p.keys.appendRow(p.row[:0], t, p.syms, nil)
		for _, sym := range p.row {
			p.all = append(p.all, packEntry{1 << k, sym})
		}
	}
	row := p.all[first:]
	slices.SortFunc(row, func(a, b packEntry) int { return cmp.Compare(a.sym, b.sym) })
	n := 0
	for _, e := range row {
		if n > 0 && row[n-1].sym == e.sym {
			row[n-1].mask |= e.mask
			continue
		}
		row[n] = e
		n++
	}
	p.all = p.all[:first+n]
	p.ends = append(p.ends, first+n)
}

// Seal implements index.Packs.
func (p *Packs) Seal() { p.row = nil }

// each calls f for all entries, pack by pack.
func (p *Packs) each(f func(pack uint32, e packEntry)) {
	from := 0
	for pack, end := range p.ends {
		for _, e := range p.all[from:end] {
			f(uint32(pack), e)
		}
		from = end
	}
}

// packView has a row for each pack, with only the basic features and candidates that one task needs. Features
// are numbered in the order of their symbols.
type packView struct {
	syms     []uint32 // the symbol of each number
	numberOf []uint32 // the number of each symbol, or rowEnd
	rows     []packEntry
	with     growth.Inverted[packPlace]
}

// packPlace is the index of an entry in packView.rows, and the pack of the entry.
type packPlace struct{ at, pack uint32 }

// rowEnd marks the end of a row. No feature has this number.
const rowEnd = 1<<32 - 1

// view returns a view of p with the symbols that keepSym accepts. It replaces each mask by the result of
// `narrow`, and leaves out entries with mask 0.
func (p *Packs) view(narrow func(pack uint32, mask uint64) uint64, keepSym func(sym uint32) bool) *packView {
	v := &packView{numberOf: make([]uint32, p.syms.Len(index.Features)+1)}
	p.each(func(pack uint32, e packEntry) {
		if narrow(pack, e.mask) != 0 {
			v.numberOf[e.sym] = 1
		}
	})
	for sym, there := range v.numberOf {
		v.numberOf[sym] = rowEnd
		if there != 0 && keepSym(uint32(sym)) {
			v.numberOf[sym] = uint32(len(v.syms))
			v.syms = append(v.syms, uint32(sym))
		}
	}
	ended := uint32(0) // number of rows that have been ended
	end := func(before uint32) {
		for ; ended < before; ended++ {
			v.rows = append(v.rows, packEntry{sym: rowEnd})
		}
	}
	p.each(func(pack uint32, e packEntry) {
		end(pack)
		if mask := narrow(pack, e.mask); mask != 0 && v.numberOf[e.sym] != rowEnd {
			v.rows = append(v.rows, packEntry{mask, v.numberOf[e.sym]})
		}
	})
	end(uint32(len(p.ends)))
	v.invert()
	return v
}

// invert fills v.with: for each basic feature, its places in v.rows.
func (v *packView) invert() {
	v.with.Fill(len(v.syms), func() {
		pack := uint32(0)
		for at, e := range v.rows {
			if e.sym == rowEnd {
				pack++
				continue
			}
			v.with.Put(e.sym, packPlace{uint32(at), pack})
		}
	})
}

func (v *packView) places(num int) []packPlace { return v.with.Of(num, num+1) }

// Tally counts, for each basic feature, the packs that have it.
func (v *packView) Tally(t *index.Tally) {
	for n, sym := range v.syms {
		for _, p := range v.places(n) {
			t.Add(index.Step{Sym: sym}, p.pack)
		}
	}
}
