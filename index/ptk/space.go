// Package ptk is the space of partial trees (Moschitti 2006, Efficient Convolution
// Kernels for Dependency and Constituent Syntactic Trees; index/README.md, "ptk"): a
// pattern is a node with any subsequence of its children, each of which is again a
// pattern. Single nodes and words are patterns too. The order is the number of nodes.
//
// A match takes for each chosen child of the pattern a child of the tree's node, in
// order. Its value is √μ for each node, λ for each node of the pattern without
// children, and λ for each child of the tree that is passed over between two chosen
// ones: λ^(span − chosen) a node. The value of a pattern in a sample is the sum over
// its matches, and the kernel Σ over pairs of nodes with equal labels of
//
//	Δ(p,q) = μ · (λ² + Σ over subsequences I, J of their children, of one length, of
//	             λ^(gaps of I + gaps of J) · Π Δ(p[I], q[J]))
//
// A code is the list of a pattern's nodes in preorder. A step is (depth, label), the label
// a packed index.Child: the node is the last child of the one at depth − 1 on the
// rightmost path, and its occurrences are any children to the right of what that node has
// so far. Each pattern has one code, and every prefix of a code is a pattern's code.
//
// Where to start reading: forest.go says how trees are laid out, extend.go what extends
// a pattern, grow.go growth, match.go the same along the stored codes, kernel.go the
// kernel.
package ptk

import (
	"fmt"
	"math"
	"strconv"

	"fstore/index"
	"fstore/index/glob"
	"fstore/index/internal/option"
)

// defaultMu is μ where none is chosen, SVM-Light-TK's default.
const defaultMu = 0.4

// Space is the ptk space with some μ.
type Space struct {
	index.Preorder
	mu float64
}

// New makes a space from its options, which values returns:
//
//	mu=NUMBER   μ, the decay of a node: above 0, at most 1; default 0.4
func New(values func(name string) []string) (*Space, error) {
	s := &Space{mu: defaultMu}
	text, ok, err := option.Values(values).One("mu")
	if err != nil {
		return nil, err
	}
	if !ok {
		return s, nil
	}
	if s.mu, err = strconv.ParseFloat(text, 64); err != nil || !(s.mu > 0 && s.mu <= 1) {
		return nil, fmt.Errorf("option mu=%s: a number above 0, at most 1", text)
	}
	return s, nil
}

// ID implements index.Space.
func (s *Space) ID() string {
	if s.mu == defaultMu {
		return "ptk"
	}
	return "ptk:mu=" + strconv.FormatFloat(s.mu, 'g', -1, 64)
}

// Weight implements index.Decaying: √μ for each node, λ for each without children.
func (s *Space) Weight(c index.Code, _ *index.Symbols, lambda float64) float64 {
	order, leaves, deepest := 0, 0, uint32(0)
	for st := range c.All() {
		leaves = leavesWith(leaves, deepest, st.Off)
		order, deepest = order+1, st.Off
	}
	return float64(math.Pow(s.mu, float64(order)/2) * math.Pow(lambda, float64(leaves)))
}

// leavesWith is the number of nodes without children of a pattern that had leaves of
// them, the last node at depth last, when one at depth d is added: below the last node
// it takes that one's place.
func leavesWith(leaves int, last, d uint32) int {
	if d > last {
		return leaves
	}
	return leaves + 1
}

// Options describes what New reads.
var Options = []option.Doc{
	{Name: "mu", Values: []string{"NUMBER"}, Default: strconv.FormatFloat(defaultMu, 'g', -1, 64), Help: "the decay of a node, above 0, at most 1"},
}

// Parts implements index.Space: the pattern without one of its nodes that have no
// children; and what is below its root, where that has one child.
func (s *Space) Parts(dst []index.Code, c index.Code, _ *index.Symbols) []index.Code {
	steps, ok := c.Steps(nil)
	if !ok || len(steps) < 2 {
		return dst
	}
	first := len(dst)
	children := 0 // of the root
	for i, st := range steps {
		if st.Off == 1 {
			children++
		}
		if i == 0 || i+1 < len(steps) && steps[i+1].Off > st.Off {
			continue
		}
		// The depths of the others stay as they are.
		dst = index.AppendPart(dst, first, index.EncodeSteps(index.EncodeSteps(nil, steps[:i]), steps[i+1:]))
	}
	if children == 1 {
		var below index.Code
		for _, st := range steps[1:] {
			below = index.AppendStep(below, index.Step{Off: st.Off - 1, Sym: st.Sym})
		}
		dst = index.AppendPart(dst, first, below)
	}
	return dst
}

// Above implements index.Patterned: c with any children between its own.
func (s *Space) Above(c index.Code, _ *index.Symbols) *glob.Pattern {
	return &glob.Pattern{Root: s.PatternOf(c, true)}
}

// Locate implements index.Space: the nodes of each match, ascending.
func (s *Space) Locate(t *index.Tree, c index.Code, _ *index.Symbols) []index.Occurrence {
	var p index.PlacedNodes
	for i := range t.Nodes {
		n := &t.Nodes[i]
		p.Label, p.Size, p.At = append(p.Label, labelOf(n)), append(p.Size, n.Size), append(p.At, int32(i))
	}
	return s.LocateIn(p, c, true)
}
