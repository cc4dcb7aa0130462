// Package dep is the space of sub feature trees of dependency trees (Qian & Liu 2015; index/README.md,
// "dep"). A fragment is a connected piece of a dependency tree, and each of its arcs carries one of the
// arc's basic features.
//
// A code is the list of a fragment's arcs in preorder, siblings in surface order. A step is (off,
// feature). off is the depth of the arc's head, which is on the rightmost path; the root has depth 0.
// Under the rule `side`, off is 2·depth, plus 1 if the modifier stands right of its head. Each fragment
// has one code, and every prefix of a code is a fragment's code. With words, nodes have steps too
// (words.go).
//
// The dependents that a fragment has of one head lie among max-span neighbouring ones. Without this limit,
// a head with sixty dependents would have 2^60 fragments under the rule any.
//
// Without order (`ordered=false`) the children of a node are written by descending code instead, the
// greatest first. Then, too, every prefix is canonical.
//
// Where to start reading: this file has the options, and template.go and feature.go the basic features.
// forest.go has the arcs in the layout that everything else reads. extend.go has the extensions of a
// pattern, and span.go the effect of max-span on them. grow.go has growth, and match.go the same along the
// stored codes. options.go has the space's names.
package dep

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"fstore/index"
	"fstore/index/internal/option"
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

// planter returns a free planter.
func (s *Space) planter() *planter {
	if p, ok := s.planters.Get().(*planter); ok {
		return p
	}
	return &planter{}
}

// New makes a space from its options, see Options. The function given returns the values of a named option.
func New(given func(name string) []string) (*Space, error) {
	s, values := &Space{}, option.Values(given)
	ordered, err := flag(values, "ordered", true)
	if err != nil {
		return nil, err
	}
	s.unordered = !ordered
	if s.rootArcs, err = flag(values, "root-arcs", false); err != nil {
		return nil, err
	}
	if err := s.setRule(values); err != nil {
		return nil, err
	}
	span, err := values.Count("max-span", defaultMaxSpanOf(s.rule))
	if err != nil {
		return nil, err
	}
	s.maxSpan = uint32(span)
	texts := given("template")
	for _, name := range given("templates") {
		set := templateSets[name]
		if set == nil {
			return nil, fmt.Errorf("option templates=%s: there are %s", name, strings.Join(setNames(), ", "))
		}
		texts = append(texts, set...)
	}
	if len(texts) == 0 {
		texts = []string{defaultTemplate}
	}
	if s.templates, err = parseTemplates(texts); err != nil {
		return nil, err
	}
	if err := s.setWords(values); err != nil {
		return nil, err
	}
	for i := range s.templates {
		s.width = max(s.width, len(s.templates[i].fields))
	}
	s.id = s.makeID(s.defaults())
	s.labels = s.makeLabels()
	return s, nil
}

func setNames() []string { return slices.Sorted(maps.Keys(templateSets)) }

func flag(values option.Values, name string, value bool) (bool, error) {
	text, ok, err := values.One(name)
	if !ok || err != nil {
		return value, err
	}
	if value, err = strconv.ParseBool(text); err != nil {
		return false, fmt.Errorf("option %s=%s: true or false", name, text)
	}
	return value, nil
}

// errUnordered is the error if order is to be ignored under another rule than the rule any. Let one head
// have the dependents abc, bac and acb in three samples. Then a, b and c are neighbours in all three, but
// any two nodes of a, b and c are neighbours in only two of the samples. So a fragment would be more
// frequent than its parts, and support would bound nothing.
var errUnordered = errors.New("ordered=false needs siblings=any: who the neighbours are depends on the order")

func (s *Space) setRule(values option.Values) error {
	name, ok, err := values.One("siblings")
	if !ok || err != nil {
		s.rule = defaultRule
		return err
	}
	i := slices.Index(ruleNames[:], name)
	if i < 0 {
		return fmt.Errorf("option siblings=%s: there are %s", name, strings.Join(ruleNames[:], ", "))
	}
	if s.rule = rule(i); s.unordered && s.rule != anyChild {
		return errUnordered
	}
	return nil
}

// ID implements index.Space.
func (s *Space) ID() string { return s.id }

func (s *Space) hasAll(set []template) bool {
	for _, t := range set {
		if !slices.ContainsFunc(s.templates, func(u template) bool { return u.text == t.text }) {
			return false
		}
	}
	return true
}

// depthOf returns the depth of the node of a step: the head of an arc, or the node that has a word.
func (s *Space) depthOf(off uint32) uint32 { return off / s.kinds }

// rightOf says whether the modifier of a step's arc stands right of its head. Only the rule side tells this.
// Under other rules the result is false.
func (s *Space) rightOf(off uint32) bool { return s.rule == side && off%s.kinds == s.kinds-1 }

// bothSides has the sides of a head: false stands for the left, true for the right.
var bothSides = [...]bool{false, true}

// sides returns the sides of a head that steps tell apart. Under the rule side these are left and right.
// Under other rules it returns a single side that stands for both.
func (s *Space) sides() []bool {
	if s.rule == side {
		return bothSides[:]
	}
	return bothSides[1:]
}

// firstSteps returns the first steps in r with symbols below end, ascending. Each first step is given by its
// Off and its symbol.
func (s *Space) firstSteps(r index.Range, end int) iter.Seq2[uint32, uint32] {
	return func(yield func(off, sym uint32) bool) {
		for _, right := range s.sides() {
			off := s.offOf(0, right)
			lo, hi := max(r.Lo, index.Step{Off: off, Sym: 1}.Packed()), min(r.Hi, index.Step{Off: off, Sym: uint32(end)}.Packed())
			for p := lo; p < hi; p++ {
				if !yield(off, uint32(p)) {
					return
				}
			}
		}
	}
}

// appendOffs appends the Offs that a step can have after n steps, ascending. The parameter last is the Off
// of the last of these steps.
func (s *Space) appendOffs(dst []uint32, n int, last uint32) []uint32 {
	path := s.pathAfter(last)
	head, modifier := s.wordsAfter(n, last)
	for d := range path + 1 {
		if d == 0 && head || d == path && modifier {
			dst = append(dst, s.wordStep(d, 0).Off)
		}
		for _, right := range s.sides() {
			dst = append(dst, s.offOf(d, right))
		}
	}
	return dst
}

// offOf returns the Off of an arc whose head is at some depth. The steps at one depth can be of several
// kinds. Words come first, if the space has them, and arcs to the right come last.
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
