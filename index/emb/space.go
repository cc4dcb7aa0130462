// Package emb is the space of embedded trees (Suzuki & Isozaki 2005; index/README.md, "seq, emb"):
// ordered trees of labelled nodes, with one root, that are left of a sample when other nodes are
// taken out. An embedding maps the nodes of a fragment to nodes of the sample with the same labels,
// so that one node is above another in the fragment if and only if it is in the sample, and one is
// left of another if and only if it is in the sample: a child is a descendant, and siblings are
// side by side, in order.
//
// The nodes of a constituency tree are its labels and its words: a word is a leaf with
// an alphabet of its own, or, where labels and words have one, with the labels'. Those
// of a dependency tree are its tokens, each a child of its head, siblings in surface
// order; a forest is several trees, as the artificial root is no node.
//
// An embedding has the value λ^g, g the number of nodes that it skips: those that are
// not in it and lie below its root and above another node of it, each counted once. This
// is γ = |t| - |u| of SI05's equation (1), t the smallest connected piece of the sample
// that holds the embedding of u. The value of a fragment in a sample is the sum over its
// embeddings.
//
// A code is the list of a fragment's nodes in preorder, each its depth and its label
// (the bracket code that the paper prints is ambiguous). A step's Off is the depth, and its
// symbol the label, packed as an index.Child: the tokens of dependency trees are words.
//
// Where to start reading: this file has the options, forest.go the nodes in the layout
// that everything else reads, extend.go what extends a pattern, grow.go growth, match.go
// the same along the stored codes.
package emb

import (
	"fstore/index"
	"fstore/index/glob"
	"fstore/index/internal/option"
)

// Space is the emb space with some options.
type Space struct {
	index.Preorder
	unit index.Column
	id   string
}

// New makes a space from its options, of which values returns the values:
//
//	unit=form|lemma|upos|xpos  the label of a token, default form. The nodes of
//	                           constituency trees have labels: there it is no option
func New(values func(name string) []string) (*Space, error) {
	s := &Space{id: "emb"}
	var err error
	if s.unit, err = option.Values(values).Unit(); err != nil {
		return nil, err
	}
	if s.unit != index.Form {
		s.id += ":unit=" + s.unit.String()
	}
	return s, nil
}

// ID implements index.Space.
func (s *Space) ID() string { return s.id }

// Reads says whether the space reads samples of a kind: only tokens have other units
// than the default.
func (s *Space) Reads(k index.Kind) bool { return k == index.Dependency || s.unit == index.Form }

// Weight implements index.Decaying: an embedding that skips nothing has the value 1.
func (*Space) Weight(index.Code, *index.Symbols, float64) float64 { return 1 }

// Options describes what New reads.
var Options = []option.Doc{
	{Name: "unit", Values: option.Units, Default: index.Form.String(), Help: "the label of a token; the nodes of constituency trees have their own"},
}

// Columns implements index.ColumnReading.
func (s *Space) Columns() []string { return []string{s.unit.String()} }

// Above implements index.Patterned: c, embedded.
func (s *Space) Above(c index.Code, _ *index.Symbols) *glob.Pattern {
	return &glob.Pattern{Root: s.PatternOf(c, false), Embedded: true}
}

// Parts implements index.Space: a fragment without one of its nodes, whose children its
// parent takes over. The root can go where it has one child.
func (s *Space) Parts(dst []index.Code, c index.Code, _ *index.Symbols) []index.Code {
	f, ok := s.Unfold(c)
	if !ok || len(f) < 2 {
		return dst
	}
	first := len(dst)
	for i := range f {
		if i == 0 && f[1].Size < len(f)-1 {
			continue
		}
		var part index.Code
		for k, n := range f {
			if k > i && k < i+f[i].Size {
				n.Depth--
			}
			if k != i {
				part = index.AppendStep(part, index.Step{Off: uint32(n.Depth), Sym: n.Sym})
			}
		}
		dst = index.AppendPart(dst, first, part)
	}
	return dst
}

// Locate implements index.Space: the nodes of each embedding, without those it skips. Of
// more than index.MaxLocated it gives the first in preorder.
func (s *Space) Locate(t *index.Tree, c index.Code, _ *index.Symbols) []index.Occurrence {
	p := planter{s: s}
	p.plan(t)
	return s.LocateIn(p.PlacedNodes, c, false)
}
