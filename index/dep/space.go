// Package dep is the space of sub feature trees of dependency trees (Qian & Liu 2015; index/README.md,
// "dep"). A fragment is a connected piece of a dependency tree. Each of its arcs carries one of the arc's
// basic features.
//
// A code is the list of a fragment's arcs in preorder, siblings in surface order. Each arc is a step (off,
// feature). off is the depth of the arc's head, which is on the rightmost path; the root has depth 0. Under
// the rule `side`, off is 2·depth, plus 1 if the modifier stands right of its head. Each fragment has one
// code, and every prefix of a code is a fragment's code. With words, nodes have steps too (words.go).
//
// The dependents of one head in a fragment lie among max-span neighbouring dependents of that head. Without
// this limit, a head with sixty dependents would have 2^60 fragments under the rule `any`.
//
// Without order (`ordered=false`), the children of a node are written by descending code. Every prefix of
// such a code is a fragment's code, too.
//
// Where to start reading:
//   - this file: the steps of a code
//   - options.go: the options and names of spaces
//   - template.go, feature.go: the basic features
//   - forest.go: the arcs in the layout that everything else reads
//   - extend.go, span.go: the extensions of a pattern, and the effect of max-span on them
//   - grow.go, match.go: growth, and the search for stored codes in trees
package dep

import (
	"iter"
	"sync"

	"fstore/index"
)

// rule says which dependents of a head can be together in a fragment.
type rule uint8

const (
	adjacent rule = iota // neighbours in the list of all dependents
	side                 // neighbours on each side of the head
	anyChild             // any dependents
)

var ruleNames = [...]string{"adjacent", "side", "any"}

// Space is the dep space with some options.
type Space struct {
	rule      rule
	unordered bool
	rootArcs  bool   // arcs from the artificial root are arcs like others
	maxSpan   uint32 // the dependents of one head lie among this many neighbouring dependents; 0: no limit
	templates []template
	width     int       // the number of fields of the widest template
	word      *template // the template of the words of nodes; nil: nodes have no words
	kinds     uint32    // number of kinds of steps at each depth, see offOf
	id        string
	labels    *labels   // how fragments print with labels of nodes; nil: they cannot
	planters  sync.Pool // *planter: scratch
	readers   sync.Pool // *codeReader: scratch of Tree
}

// labels say how fragments print with one label for each node, as in `VERB >obj (NOUN >det DET)`. The space
// must have a single template, with the same columns for the head and for the modifier. The template can also
// have the relation and the direction.
type labels struct {
	cols      []field // the columns of a node's label, as fields of the modifier
	head, mod []int   // where in the template each column stands, for the head and for the modifier
	rel, dir  int     // where in the template relation and direction stand; -1: not there
	special   string  // the characters that labels escape in addition to those of every text
}

// ID implements index.Space.
func (s *Space) ID() string { return s.id }

// depthOf returns the depth of the node of a step: the head of an arc, or the node that has a word.
func (s *Space) depthOf(off uint32) uint32 { return off / s.kinds }

// rightOf says whether the modifier of a step's arc stands right of its head. Without siblings=side it
// returns false.
func (s *Space) rightOf(off uint32) bool { return s.rule == side && off%s.kinds == s.kinds-1 }

func (s *Space) isWord(off uint32) bool { return s.word != nil && off%s.kinds == 0 }

// wordStep returns the step that adds the word sym to the node at a depth.
func (s *Space) wordStep(depth int, sym uint32) index.Step {
	return index.Step{Off: uint32(depth) * s.kinds, Sym: sym}
}

// pathAfter returns how many arcs the rightmost path has after a step with Off `off`.
func (s *Space) pathAfter(off uint32) int {
	depth := int(s.depthOf(off))
	if s.isWord(off) {
		return max(depth, 1)
	}
	return depth + 1
}

// bothSides has the sides of a head: false stands for the left, true for the right.
var bothSides = [...]bool{false, true}

// sides lists the sides of a head: two if steps tell them apart, else one that stands for both.
func (s *Space) sides() []bool {
	if s.rule == side {
		return bothSides[:]
	}
	return bothSides[1:]
}

// Sides implements index.Sided.
func (s *Space) Sides() bool { return s.rule == side || s.labels != nil && s.labels.dir >= 0 }

// firstSteps returns the first steps in r with symbols below symEnd, ascending. Each is given by its Off and
// its symbol.
func (s *Space) firstSteps(r index.Range, symEnd int) iter.Seq2[uint32, uint32] {
	return func(yield func(off, sym uint32) bool) {
		for _, right := range s.sides() {
			off := s.offOf(0, right)
			lo, hi := max(r.Lo, index.Step{Off: off, Sym: 1}.Packed()), min(r.Hi, index.Step{Off: off, Sym: uint32(symEnd)}.Packed())
			for p := lo; p < hi; p++ {
				if !yield(off, uint32(p)) {
					return
				}
			}
		}
	}
}

// appendOffs appends the Offs of the steps that can follow a code of n steps, ascending. The last Off of the
// code is lastOff.
func (s *Space) appendOffs(dst []uint32, n int, lastOff uint32) []uint32 {
	path := s.pathAfter(lastOff)
	// The root's word can follow the first step, and the word of a modifier can follow its arc.
	root, modifier := s.word != nil && n == 1, s.word != nil && (!s.isWord(lastOff) || n == 2 && lastOff == 0)
	for d := range path + 1 {
		if d == 0 && root || d == path && modifier {
			dst = append(dst, s.wordStep(d, 0).Off)
		}
		for _, right := range s.sides() {
			dst = append(dst, s.offOf(d, right))
		}
	}
	return dst
}

// offOf returns the Off of a step that adds an arc to a head at this depth. At each depth, a word has the
// least Off, and arcs to the right have the largest.
func (s *Space) offOf(depth int, right bool) uint32 {
	off := uint32(depth) * s.kinds
	if s.word != nil {
		off++
	}
	if right && s.rule == side {
		off++
	}
	return off
}
