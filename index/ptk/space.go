// Package ptk is the space of partial trees (Moschitti 2006, Efficient Convolution Kernels for Dependency and
// Constituent Syntactic Trees; index/README.md, "ptk"). A pattern is a node with any subsequence of its
// children, each of which is again a pattern. Single nodes and words are patterns too. The order is the
// number of nodes.
//
// A match assigns to each child in the pattern a child in the tree, in order. Its value is a product: √μ for
// each node of the pattern, λ for each of its leaves, and λ for each child of the tree between two chosen
// children. The value of a pattern in a sample is the sum over its matches. The kernel is the sum of Δ(p,q)
// over the pairs of nodes p and q with equal labels:
//
//	Δ(p,q) = μ · (λ² + Σ over I, J of λ^(gaps of I + gaps of J) · Π Δ(p[I], q[J]))
//
// I and J are non-empty subsequences, of the same length, of the children of p and q.
//
// A code lists the nodes of a pattern in preorder. A step is (depth, label), where the label is a packed
// index.Child. A step adds a last child to the node at depth − 1 on the rightmost path. Each pattern has one
// code, and every prefix of a code is a pattern's code.
//
// Where to start reading: forest.go says how trees are laid out. extend.go has the extensions of a pattern,
// grow.go growth, match.go growth along the stored codes, and kernel.go the kernel.
package ptk

import (
	"fmt"
	"math"
	"strconv"

	"fstore/index"
	"fstore/index/glob"
	"fstore/index/internal/option"
)

// defaultMu is the default of μ, as in SVM-Light-TK.
const defaultMu = 0.4

// Space is the ptk space with its μ.
type Space struct {
	index.Preorder
	mu float64
}

// New makes a space from its options. valuesOf(name) returns the values of an option:
//
//	mu=NUMBER   μ, the decay of a node: above 0, at most 1; default 0.4
func New(valuesOf func(name string) []string) (*Space, error) {
	s := &Space{mu: defaultMu}
	text, ok, err := option.Values(valuesOf).One("mu")
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

// Weight implements index.Decaying. It is the product of √μ for each node and λ for each leaf.
func (s *Space) Weight(c index.Code, _ *index.Symbols, lambda float64) float64 {
	order, leaves, deepest := 0, 0, uint32(0)
	for st := range c.All() {
		leaves = leavesWith(leaves, deepest, st.Off)
		order, deepest = order+1, st.Off
	}
	return float64(math.Pow(s.mu, float64(order)/2) * math.Pow(lambda, float64(leaves)))
}

// leavesWith returns how many leaves a pattern has after adding a node at depth d. If d > last, the new node
// replaces the last one as a leaf.
func leavesWith(leaves int, last, d uint32) int {
	if d > last {
		return leaves
	}
	return leaves + 1
}

// Options describes the options that New reads.
var Options = []option.Doc{
	{Name: "mu", Values: []string{"NUMBER"}, Default: strconv.FormatFloat(defaultMu, 'g', -1, 64), Help: "the decay of a node, above 0, at most 1"},
}

// Parts implements index.Space. A part is c without one leaf. If the root has one child, the pattern below
// the root is also a part.
func (s *Space) Parts(dst []index.Code, c index.Code, _ *index.Symbols) []index.Code {
	steps, ok := c.Steps(nil)
	if !ok || len(steps) < 2 {
		return dst
	}
	first := len(dst)
	children := 0 // number of children of the root
	for i, st := range steps {
		if st.Off == 1 {
			children++
		}
		if i == 0 || i+1 < len(steps) && steps[i+1].Off > st.Off {
			continue
		}
		// The depths of the other nodes do not change.
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

// Above implements index.Patterned. In the pattern, the nodes of c may have any further children.
func (s *Space) Above(c index.Code, _ *index.Symbols) *glob.Pattern {
	return &glob.Pattern{Root: s.PatternOf(c, true)}
}

// Locate implements index.Space. An occurrence has the nodes of a match, ascending.
func (s *Space) Locate(t *index.Tree, c index.Code, _ *index.Symbols) []index.Occurrence {
	var p index.PlacedNodes
	for i := range t.Nodes {
		n := &t.Nodes[i]
		p.Label, p.Size, p.At = append(p.Label, labelOf(n)), append(p.Size, n.Size), append(p.At, int32(i))
	}
	return s.LocateIn(p, c, true)
}
