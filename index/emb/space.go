// Package emb is the space of embedded trees (Suzuki & Isozaki 2005; index/README.md, "seq, emb"). A fragment
// is an ordered tree of labelled nodes that remains if other nodes are taken out of a sample. An embedding
// maps the nodes of a fragment to nodes of the sample with the same labels. A child is mapped to a descendant
// of its parent's node, and siblings are mapped to nodes that lie side by side, in order.
//
// The nodes of a constituency tree are its labels and its words. The nodes of a dependency tree are its
// tokens, each a child of its head, with siblings in surface order. The artificial root is not a node, so a
// tree may be a forest.
//
// An embedding has the value λ^g, where g is the number of nodes that it skips on the paths between its
// nodes. A node on several paths counts once. (Equation (1) of the paper writes γ for g.) The value of a
// fragment in a sample is the sum over its embeddings.
//
// A code lists the nodes of a fragment in preorder. (The bracket code that the paper prints is ambiguous.)
// The Off of a step is the node's depth, and its symbol is the label, packed as an index.Child. Tokens of
// dependency trees are words.
//
// Where to start reading: this file has the options, and forest.go lays out the nodes for the other files.
// extend.go has the extensions of a pattern, grow.go growth, and match.go growth along the stored codes.
package emb

import (
	"fstore/index"
	"fstore/index/glob"
	"fstore/index/internal/option"
)

// Space is the emb space with its options.
type Space struct {
	index.Preorder
	unit index.Column
	id   string
}

// New makes a space from its options. valuesOf(name) returns the values of an option:
//
//	unit=form|lemma|upos|xpos  the label of a token, default form; for dependency trees only
func New(valuesOf func(name string) []string) (*Space, error) {
	s := &Space{id: "emb"}
	var err error
	if s.unit, err = option.Values(valuesOf).Unit(); err != nil {
		return nil, err
	}
	if s.unit != index.Form {
		s.id += ":unit=" + s.unit.String()
	}
	return s, nil
}

// ID implements index.Space.
func (s *Space) ID() string { return s.id }

// Reads says whether the space reads samples of this kind. It reads constituency trees only with the default
// unit.
func (s *Space) Reads(k index.Kind) bool { return k == index.Dependency || s.unit == index.Form }

// Weight implements index.Decaying. Without skipped nodes, the value is 1.
func (*Space) Weight(index.Code, *index.Symbols, float64) float64 { return 1 }

// Options describes the options that New reads.
var Options = []option.Doc{
	{Name: "unit", Values: option.Units, Default: index.Form.String(), Help: "the label of a token; the nodes of constituency trees have their own"},
}

// Columns implements index.ColumnReading.
func (s *Space) Columns() []string { return []string{s.unit.String()} }

// Above implements index.Patterned. The pattern is c as an embedded tree.
func (s *Space) Above(c index.Code, _ *index.Symbols) *glob.Pattern {
	return &glob.Pattern{Root: s.PatternOf(c, false), Embedded: true}
}

// Parts implements index.Space. A part is c without one node, whose children go to its parent. A root with
// several children cannot be left out.
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
