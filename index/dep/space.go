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
//   - this file: the steps of a code, and the options and names of spaces
//   - template.go, feature.go: the basic features
//   - forest.go: the arcs in the layout that everything else reads
//   - extend.go, span.go: the extensions of a pattern, and the effect of max-span on them
//   - grow.go, match.go: growth, and the search for stored codes in trees
package dep

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
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

// Options describes the options that New reads.
var Options = append([]option.Doc{
	{Name: "siblings", Values: ruleNames[:], Default: ruleNames[defaultRule], Help: "which children of a head a fragment may have: neighbours, neighbours on one side of it, or any"},
	{Name: "max-span", Values: []string{"N"}, Help: "the dependents that a fragment has of one head lie among N neighbouring ones, which only a head with more feels; 0 is no limit (20 with siblings=any, else 0)"},
	{Name: "ordered", Values: []string{"true", "false"}, Default: "true", Help: "false ignores the order of children, under siblings=any"},
	{Name: "words", Values: []string{"form", "lemma"}, Help: "a node of a fragment may carry its word, VERB[give] >obj NOUN, which is one more building block; bare without this"},
}, arcOptions(defaultTemplate, " or misc[KEY], a value of MISC")...)

// ArcOptions describes the options that NewArcFeatures reads.
var ArcOptions = arcOptions(firstTemplate, "")

// arcOptions returns the options that choose the basic features of arcs. `moreFields` is added to the list of
// fields in the help.
func arcOptions(template, moreFields string) []option.Doc {
	return []option.Doc{
		{Name: "template", Values: []string{"FIELD+FIELD…"}, Default: template, Help: "repeatable; a FIELD is rel, dir, dist (bucketed), between (each UPOS in between), or h or m (head, modifier) with an offset from -2 to +2 and form, lemma, upos, xpos, feats, rel, deps" + moreFields + ": h.upos, m-1.form"},
		{Name: "templates", Values: setNames(), Help: "repeatable; a set of templates: Table 1 of Qian & Liu 2015, each alone, with direction, and with direction and length; bare without these"},
		{Name: "root-arcs", Values: []string{"true", "false"}, Default: "false", Help: "arcs from the artificial root are arcs like others"},
	}
}

// Names of spaces leave out options with these default values. The first version of the program had other
// default values, see FirstID.
const (
	defaultRule     = anyChild
	defaultMaxSpan  = 20 // under the rule any
	defaultTemplate = "rel+h.upos+m.upos+dir"

	firstTemplate = "rel+h.upos+m.upos"
)

// defaultMaxSpanOf returns the default value of max-span. Only siblings=any has a limit, because it gives a
// head with many dependents too many fragments.
func defaultMaxSpanOf(r rule) int {
	if r == anyChild {
		return defaultMaxSpan
	}
	return 0
}

// New makes a space from its options, see Options. valuesOf(name) returns the values of an option.
func New(valuesOf func(name string) []string) (*Space, error) {
	s, values := &Space{}, option.Values(valuesOf)
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
	texts := valuesOf("template")
	for _, name := range valuesOf("templates") {
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

// errUnordered is the error for ordered=false with a rule other than siblings=any, because a fragment could
// then be more frequent than its parts.
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

// defaults returns the options that the method ID leaves out, because they have the default value.
func (s *Space) defaults() []string {
	return []string{
		"siblings=" + ruleNames[defaultRule], fmt.Sprint("max-span=", defaultMaxSpanOf(s.rule)),
		"ordered=true", "root-arcs=false", "template=" + defaultTemplate,
	}
}

// FullID returns the space's name with all its options. A store records this name, which keeps its meaning
// when defaults change.
func (s *Space) FullID() string { return s.makeID(nil) }

// FirstID returns the space's name with the options that differ from the first version's defaults. Stores of
// that version have this name, and hashes of vocabularies include it.
func (s *Space) FirstID() string {
	return s.makeID([]string{"siblings=adjacent", "max-span=0", "ordered=true", "root-arcs=false", "template=" + firstTemplate})
}

// makeID returns the space's name with its options, sorted by name, without the options in leftOut.
func (s *Space) makeID(leftOut []string) string {
	all := []string{
		"siblings=" + ruleNames[s.rule], fmt.Sprint("max-span=", s.maxSpan),
		fmt.Sprint("ordered=", !s.unordered), fmt.Sprint("root-arcs=", s.rootArcs),
	}
	if s.word != nil {
		all = append(all, "words="+s.word.names[0])
	}
	all = slices.DeleteFunc(all, func(o string) bool { return slices.Contains(leftOut, o) })
	if f := s.featureOptions(); len(f) > 1 || !slices.Contains(leftOut, f[0]) {
		all = append(all, f...)
	}
	if len(all) == 0 {
		return "dep"
	}
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(optionName(a), optionName(b)) })
	return "dep:" + strings.Join(all, ",")
}

func optionName(option string) string {
	name, _, _ := strings.Cut(option, "=")
	return name
}

func (s *Space) hasAll(set []template) bool {
	for _, t := range set {
		if !slices.ContainsFunc(s.templates, func(u template) bool { return u.text == t.text }) {
			return false
		}
	}
	return true
}

// featureOptions returns the options that choose the templates. A named set of templates is one option.
func (s *Space) featureOptions() (all []string) {
	named := map[string]bool{} // the templates of the sets that are already in sets
	var sets []string
	for _, name := range setNames() {
		texts := templateSets[name]
		if len(texts) > len(s.templates) {
			continue
		}
		set, err := parseTemplates(texts)
		inAnother := !slices.ContainsFunc(set, func(t template) bool { return !named[t.text] })
		if err != nil || !s.hasAll(set) || inAnother {
			continue
		}
		sets = append(sets, "templates="+name)
		for _, t := range set {
			named[t.text] = true
		}
	}
	for _, t := range s.templates {
		if !named[t.text] {
			all = append(all, "template="+t.text)
		}
	}
	return append(all, sets...)
}
