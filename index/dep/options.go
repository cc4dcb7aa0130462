package dep

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fstore/index/internal/option"
)

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
