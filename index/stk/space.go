// Package stk is the space of subset trees (Collins & Duffy 2001; Pighin &
// Moschitti 2010; index/README.md, "stk"): rooted fragments in which every expanded
// node keeps all its children.
//
// A code is a list of steps (off, production): keep the frontier nonterminals of
// the fragment in preorder, give up the first off of them for good, expand the
// next one, put its children in front. The first step is (0, root production).
// Each fragment has one code, and every prefix of a code is a fragment's code.
//
// The depth of a fragment is the number of productions on its longest way down.
//
// The parts that st and sstbow share (items, text, occurrences) are exported.
package stk

import (
	"errors"
	"fmt"

	"fstore/index"
	"fstore/index/internal/option"
)

// Space is the stk space.
type Space struct {
	MaxDepth int // of a fragment; 0 is any
}

// Options describes what New reads.
var Options = []option.Doc{
	{Name: "max-depth", Values: []string{"D"}, Help: "productions on the longest way down a fragment; any unless given"},
}

// mostDepth bounds max-depth: a kernel takes memory and time in proportion.
const mostDepth = 10_000

// New makes a space from its options, of which values returns the values.
func New(values func(name string) []string) (s Space, err error) {
	s.MaxDepth, err = option.Values(values).Count("max-depth", 0)
	if s.MaxDepth > mostDepth {
		err = fmt.Errorf("option max-depth=%d: at most %d", s.MaxDepth, mostDepth)
	}
	return s, err
}

// ID implements index.Space.
func (s Space) ID() string {
	if s.MaxDepth == 0 {
		return "stk"
	}
	return fmt.Sprintf("stk:max-depth=%d", s.MaxDepth)
}

// OfProductions implements index.OfProductions.
func (Space) OfProductions() {}

// Tally counts each production of t.
func (Space) Tally(t *index.Tree, _ *index.Symbols, sample uint32, tally *index.Tally) {
	for i := range t.Nodes {
		if p := t.Nodes[i].Prod; p != 0 {
			tally.Add(index.Step{Sym: p}, sample)
		}
	}
}

// NewItems returns an empty *Items.
func (s Space) NewItems(syms *index.Symbols) index.Items {
	return &Items{Symbols: syms, MaxDepth: s.MaxDepth}
}

// Width implements index.Frontier: the nonterminal children of a production.
func (Space) Width(sym uint32, s *index.Symbols) int {
	if sym == 0 || uint64(sym) > uint64(s.Len(index.Productions)) {
		return 0 // the word of a space that has words too
	}
	return s.Arity(sym)
}

// Check says whether c is the code of a fragment over s: each step names a
// production that rewrites the label of the frontier position it expands, and it is no deeper than
// MaxDepth.
func (x Space) Check(c index.Code, s *index.Symbols) error {
	if len(c) == 0 {
		return errors.New("an empty code")
	}
	// Both start in memory of this call: listings check millions.
	var frontierMem [64]uint32
	var kidsMem [32]index.Child
	frontier, kids := frontierMem[:0], kidsMem[:0] // labels, the first position last
	var depths []int                               // of what expands a position, as frontier; nil: any will do
	for rest, first := c, true; len(rest) > 0; first = false {
		st, r, ok := rest.Next()
		if !ok {
			return fmt.Errorf("code %x: not a list of steps", []byte(c))
		}
		rest = r
		if st.Sym == 0 || uint64(st.Sym) > uint64(s.Len(index.Productions)) {
			return fmt.Errorf("code %x: no production %d", []byte(c), st.Sym)
		}
		var label uint32
		depth := 1
		label, kids = s.Production(st.Sym, kids[:0])
		switch at := len(frontier) - 1 - int(st.Off); {
		case first && st.Off != 0, !first && at < 0:
			return fmt.Errorf("code %x: no frontier position %d", []byte(c), st.Off)
		case first:
		case x.MaxDepth > 0 && depths[at] > x.MaxDepth:
			return fmt.Errorf("code %x: deeper than %d productions", []byte(c), x.MaxDepth)
		case frontier[at] != label:
			return fmt.Errorf("code %x: production %d does not fit its place", []byte(c), st.Sym)
		default:
			frontier = frontier[:at]
			if x.MaxDepth > 0 {
				depth, depths = depths[at], depths[:at]
			}
		}
		for k := len(kids) - 1; k >= 0; k-- {
			if !kids[k].Word {
				frontier = append(frontier, kids[k].Sym)
				if x.MaxDepth > 0 {
					depths = append(depths, depth+1)
				}
			}
		}
	}
	return nil
}
