// Package stk is the space of subset trees (Collins & Duffy 2001; Pighin & Moschitti 2010; index/README.md,
// "stk"): rooted fragments in which every expanded node keeps all its children.
//
// A code is a list of steps (off, production). The frontier has the unexpanded nonterminals of the fragment,
// in preorder. A step gives up the first positions of the frontier, as many as its off says. It expands the
// next one, and puts its children in front. The first step is (0, root production). Each fragment has one
// code, and every prefix of a code is a fragment's code.
//
// The depth of a fragment is the number of productions on its longest path down.
//
// The parts that st and sstbow share (items, text, occurrences) are exported.
package stk

import (
	"fmt"

	"fstore/index"
	"fstore/index/internal/option"
)

// Space is the stk space with its option.
type Space struct {
	MaxDepth int // the largest depth of a fragment; 0: no limit
}

// Options describes the options that New reads.
var Options = []option.Doc{
	{Name: "max-depth", Values: []string{"D"}, Help: "productions on the longest way down a fragment; any unless given"},
}

// mostDepth is the largest max-depth. The kernel's memory and time grow in proportion to max-depth.
const mostDepth = 10_000

// New makes a space from its options. valuesOf(name) returns the values of an option.
func New(valuesOf func(name string) []string) (s Space, err error) {
	s.MaxDepth, err = option.Values(valuesOf).Count("max-depth", 0)
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

// Width implements index.Frontier. It is the number of nonterminal children of a production.
func (Space) Width(sym uint32, s *index.Symbols) int {
	if !isProduction(sym, s) {
		return 0 // the word of a space that has words too
	}
	return s.Arity(sym)
}

func isProduction(sym uint32, s *index.Symbols) bool {
	return sym != 0 && uint64(sym) <= uint64(s.Len(index.Productions))
}

// Implied implements index.Implying.
func (x Space) Implied() (index.Implied, bool) {
	return index.Implied{Same: true, Complete: true}, x.MaxDepth == 0
}
