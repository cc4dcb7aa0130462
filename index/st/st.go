// Package st is the space of complete subtrees (the subtree kernel of SVM-Light-TK; index/README.md, "stk").
// Every fragment reaches the leaves, so a node is the root of at most one fragment. The order is the number
// of expanded nodes. Codes, text and occurrences are as in stk; all fragments of st are fragments of stk.
//
// A nonterminal without children in the tree is a leaf.
package st

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/index/glob"
	"fstore/index/internal/growth"
	"fstore/index/stk"
)

// Space is the st space.
type Space struct{ stk.Space }

// ID returns "st".
func (Space) ID() string { return "st" }

// Additive implements index.Additive. It is false, because no fragment of st extends another.
func (Space) Additive() bool { return false }

// Flat implements index.Flat. Codes can share a prefix, but no complete subtree extends another.
func (Space) Flat() {}

// SecondSteps implements index.Splitter. It is nil, as growth has no second steps.
func (Space) SecondSteps() index.SecondSteps { return nil }

// Expansions implements index.Expanded. It is nil, because growth looks at whole subtrees.
func (Space) Expansions() func(index.Items, uint32, []index.Expansion, index.Range, index.Limits) {
	return nil
}

// Items are the nodes with productions and, after Seal, the complete subtrees. Equal subtrees are one class.
type Items struct {
	stk.Items
	class    []uint32               // by item: the class of its subtree, from 1; 0 if the subtree is left out
	order    []uint32               // expanded nodes of each class
	first    []int32                // one item of each class
	members  growth.Inverted[int32] // the items of each class, ascending
	byRoot   map[uint32][]uint32
	maxOrder uint32 // larger subtrees are left out; 0: none
}

// Add implements index.Items.
func (it *Items) Add(sample uint32, t *index.Tree, r index.Range, l index.Limits) {
	it.limit(l)
	it.Items.Add(sample, t, r, l)
}

func (it *Items) limit(l index.Limits) { it.maxOrder = uint32(min(l.MaxOrder, math.MaxInt32)) }

// NewItems implements index.Space.
func (Space) NewItems(s *index.Symbols) index.Items {
	return &Items{Items: stk.Items{Symbols: s, Whole: true}}
}

// Seal implements index.Items.
func (it *Items) Seal() {
	it.Items.Seal()
	n := len(it.Prod)
	it.class = make([]uint32, n)
	it.order, it.first = append(it.order[:0], 0), append(it.first[:0], 0)
	var classes index.Table
	var key []byte
next:
	for i := n - 1; i >= 0; i-- { // children have larger numbers
		key = binary.AppendUvarint(key[:0], uint64(it.Prod[i]))
		order := uint32(1)
		for _, k := range it.children(i) {
			c := uint32(0)
			if k != stk.Childless {
				if k < 0 || it.class[k] == 0 {
					continue next
				}
				c = it.class[k]
				order += it.order[c]
			}
			key = binary.AppendUvarint(key, uint64(c))
		}
		if it.maxOrder > 0 && order > it.maxOrder {
			continue
		}
		c, isNew := classes.Intern(key)
		if isNew {
			it.order = append(it.order, order)
			it.first = append(it.first, int32(i))
		}
		it.class[i] = c
	}
	it.group(classes.Len())
}

// group lists the items of each class in it.members, and the classes with each root production in it.byRoot.
func (it *Items) group(classes int) {
	it.members.Fill(classes+1, func() {
		for i, c := range it.class {
			if c > 0 {
				it.members.Put(c, int32(i))
			}
		}
	})
	it.byRoot = make(map[uint32][]uint32)
	for c := 1; c <= classes; c++ {
		p := it.Prod[it.first[c]]
		it.byRoot[p] = append(it.byRoot[p], uint32(c))
	}
}

// children returns the part of it.Kids with the nonterminal children of item i.
func (it *Items) children(i int) []int32 {
	from := it.Kid[i]
	return it.Kids[from : from+uint32(it.Symbols.Arity(it.Prod[i]))]
}

// Bytes implements index.Items.
func (it *Items) Bytes() int64 {
	return it.Items.Bytes() + 8*int64(len(it.Prod)) + 4*int64(cap(it.class)+cap(it.order)+cap(it.first)) + it.members.Bytes(0)
}

// of returns the items of class c.
func (it *Items) of(c uint32) []int32 { return it.members.Of(int(c), int(c)+1) }

// Grow implements index.Items. All fragments with the same root production are one batch.
func (it *Items) Grow(r index.Range, w index.Weights, l index.Limits, v index.Visitor) (index.Counts, error) {
	l.MinSupport = max(l.MinSupport, 1)
	var roots []uint32
	for p := range it.byRoot {
		if r.Contains(index.Step{Sym: p}.Packed()) {
			roots = append(roots, p)
		}
	}
	slices.Sort(roots)
	var counts index.Counts
	for _, p := range roots {
		if err := growRoot(it, it.byRoot[p], w, l, v, &counts); err != nil {
			return counts, err
		}
	}
	return counts, nil
}

type found struct {
	code    index.Code
	class   uint32
	support uint32
}

func growRoot(it *Items, classes []uint32, w index.Weights, l index.Limits, v index.Visitor, counts *index.Counts) error {
	var all []found
	for _, c := range classes {
		if l.MaxOrder > 0 && int(it.order[c]) > l.MaxOrder { // the items may have larger subtrees
			continue
		}
		support, below, last := uint32(0), uint64(0), ^uint32(0)
		for _, i := range it.of(c) {
			if s := it.Sample[i]; s != last {
				support++
				last = s
			}
		}
		if support < l.MinSupport {
			below = 1
		} else {
			code, _ := it.appendCode(nil, it.first[c], 0)
			all = append(all, found{code, c, support})
		}
		counts.Count(int(it.order[c]), 1, below)
	}
	if len(all) == 0 {
		return nil
	}
	slices.SortFunc(all, func(a, b found) int { return slices.Compare(a.code, b.code) })
	var b index.Batch
	out := growth.Batches{Visitor: v}
	for _, f := range all {
		out.Code(&b, f.code)
		b.Orders = append(b.Orders, int(it.order[f.class]))
		first := len(out.Samples)
		for _, i := range it.of(f.class) {
			out.Samples = append(out.Samples, it.Sample[i])
		}
		out.Occurrences(&b, first, f.support, w, l)
		b.Closed = append(b.Closed, true) // two complete subtrees never share a root
	}
	return out.Visit(&b)
}

// appendCode appends to c the code of the subtree at item i. A negative i is a leaf. `leaves` is the number
// of leaves since the last step.
func (it *Items) appendCode(c index.Code, i int32, leaves uint32) (index.Code, uint32) {
	if i < 0 {
		return c, leaves + 1
	}
	c, leaves = index.AppendStep(c, index.Step{Off: leaves, Sym: it.Prod[i]}), 0
	for _, k := range it.children(int(i)) {
		c, leaves = it.appendCode(c, k, leaves)
	}
	return c, leaves
}

// Parts appends the complete subtrees at the root's expanded children.
func (Space) Parts(dst []index.Code, c index.Code, s *index.Symbols) []index.Code {
	first := len(dst)
	for _, below := range stk.BelowRoot(c, s) {
		dst = index.AppendPart(dst, first, below)
	}
	return dst
}

// ParseText implements index.Space. A nonterminal without children in the text has no children in the
// treebank.
func (s Space) ParseText(text string, syms *index.Symbols) (index.Code, error) {
	c, err := s.Space.ParseText(text, syms)
	if errors.Is(err, stk.ErrNoFragment) {
		err = errNoSubtree
	}
	return c, err
}

var errNoSubtree = errors.New("a single node is no fragment: give the whole subtree, as in (NP (DT the) (NN dog))")

// ParsePattern implements index.Patterned.
func (s Space) ParsePattern(text string, syms *index.Symbols) (*glob.Pattern, error) {
	p, err := s.Space.ParsePattern(text, syms)
	if errors.Is(err, stk.ErrNoFragment) {
		err = errNoSubtree
	}
	return p, err
}

// Above implements index.Patterned. The pattern is c itself, at any node.
func (Space) Above(c index.Code, s *index.Symbols) *glob.Pattern {
	return &glob.Pattern{Root: stk.PatternNode(c, s, false)}
}

// Locate implements index.Space. The unexpanded nodes of a match must have no children in t.
func (s Space) Locate(t *index.Tree, c index.Code, syms *index.Symbols) []index.Occurrence {
	all := s.Space.Locate(t, c, syms)
	kept := all[:0]
	for _, o := range all {
		if int(t.Nodes[o[0]].Size) == len(o) {
			kept = append(kept, o)
		}
	}
	return kept
}

// Implied implements index.Implying. The field Same stays false, because a pattern cannot express that a node
// has no children.
func (Space) Implied() (index.Implied, bool) { return index.Implied{Complete: true, Whole: true}, true }

// Covers implements index.Covering.
func (Space) Covers(big, small index.Code, _ *index.Symbols) bool {
	return string(big) == string(small)
}

// matcher looks up the code of the complete subtree at each node.
type matcher struct {
	x    *expansion.Index
	hits expansion.Hits
}

// NewMatcher implements index.Space.
func (Space) NewMatcher(x index.Automaton, _ *index.Symbols, _ float64) index.Matcher {
	return &matcher{x: x.(*expansion.Index)}
}

// Match implements index.Matcher.
func (m *matcher) Match(t *index.Tree, budget int64) ([]index.Hit, error) {
	m.hits.Reset()
	visits := int64(0)
	for r := range t.Nodes {
		if t.Nodes[r].Prod == 0 {
			continue
		}
		id, order, n := m.walk(t, r)
		if visits += n; budget > 0 && visits > budget {
			return nil, index.BudgetError(budget)
		}
		if id != 0 {
			m.hits.Add(id, order)
		}
	}
	m.hits.Sort(0)
	return m.hits.Merged(), nil
}

// walk looks up the code of the subtree at node r. The Off of a step is the number of childless nonterminals
// since the last step.
func (m *matcher) walk(t *index.Tree, r int) (id uint32, order int, visits int64) {
	state := m.x.Root()
	off := uint32(0)
	for i := r; i < r+int(t.Nodes[r].Size); i++ {
		n := &t.Nodes[i]
		switch {
		case n.Word:
			continue
		case n.Prod == 0:
			off++
			continue
		}
		visits++
		next, ok := m.x.Step(&state, index.Step{Off: off, Sym: n.Prod})
		if !ok {
			return 0, 0, visits
		}
		state, off = next, 0
		order++
	}
	return state.Out, order, visits
}
