// Package stk is the space of subset trees (Collins & Duffy 2001; Pighin &
// Moschitti 2010; ALGORITHMS.md §2.1): rooted fragments in which every expanded
// node keeps all its children.
//
// A code is a list of steps (off, production): keep the frontier nonterminals of
// the fragment in preorder, give up the first off of them for good, expand the
// next one, put its children in front. The first step is (0, root production).
// Each fragment has one code, and every prefix of a code is a fragment's code.
//
// The parts that st and sstbow share (items, text, occurrences) are exported.
package stk

import (
	"fmt"
	"math"

	"fstore/index"
)

// Space is the stk space.
type Space struct{}

// ID returns "stk".
func (Space) ID() string { return "stk" }

// Prepare does nothing: readers intern productions.
func (Space) Prepare(*index.Tree, *index.Symbols) {}

// Tally counts each production of t.
func (Space) Tally(t *index.Tree, _ *index.Symbols, sample uint32, tally *index.Tally) {
	for i := range t.Nodes {
		if p := t.Nodes[i].Prod; p != 0 {
			tally.Add(index.Step{Sym: p}, sample)
		}
	}
}

// NewItems returns an empty *Items.
func (Space) NewItems(s *index.Symbols) index.Items { return &Items{Symbols: s} }

// Order is the number of expanded nodes.
func (Space) Order(c index.Code) int { return c.Len() }

// Value is Count · λ^(order/2) (PM10 §3).
func (Space) Value(order int, m index.Match, lambda float64) float64 {
	return m.Count * math.Pow(lambda, float64(order)/2)
}

// Check says whether c is the code of a fragment over s.
func (Space) Check(c index.Code, s *index.Symbols) error {
	steps, err := CheckSteps(c, s)
	if err != nil {
		return err
	}
	frontier := 1
	for _, st := range steps {
		if int(st.Off) >= frontier {
			return fmt.Errorf("code %x: no frontier position %d", []byte(c), st.Off)
		}
		frontier += s.Arity(st.Sym) - int(st.Off) - 1
	}
	if !labelsAgree(steps, s) {
		return fmt.Errorf("code %x: a production does not fit its place", []byte(c))
	}
	return nil
}

// CheckSteps splits c and checks that each step names a production of s.
func CheckSteps(c index.Code, s *index.Symbols) ([]index.Step, error) {
	steps, ok := c.Steps(nil)
	if !ok || len(steps) == 0 {
		return nil, fmt.Errorf("code %x: not a list of steps", []byte(c))
	}
	for _, st := range steps {
		if st.Sym == 0 || int(st.Sym) > s.Len(index.Productions) {
			return nil, fmt.Errorf("code %x: no production %d", []byte(c), st.Sym)
		}
	}
	return steps, nil
}

// labelsAgree says whether each expanded frontier node carries the label that
// its production rewrites.
func labelsAgree(steps []index.Step, s *index.Symbols) bool {
	var frontier, next []uint32 // labels, the first position last
	var kids []index.Child
	for i, st := range steps {
		var label uint32
		label, kids = s.Production(st.Sym, kids[:0])
		if i > 0 {
			at := len(frontier) - 1 - int(st.Off)
			if frontier[at] != label {
				return false
			}
			frontier = frontier[:at]
		} else if st.Off != 0 {
			return false
		}
		next = next[:0]
		for k := len(kids) - 1; k >= 0; k-- {
			if !kids[k].Word {
				next = append(next, kids[k].Sym)
			}
		}
		frontier = append(frontier, next...)
	}
	return true
}
