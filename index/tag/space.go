// Package tag is the space of the tagging kernel (Collins & Duffy 2001, §3, figure 1; index/README.md,
// "tag"). A fragment is a run of neighbouring states: the tags of neighbouring words of a sample, each with
// or without its word. The order is the number of states.
//
// In a constituency tree every word is a state, and its tag is the label of the node above it. Runs end
// where a tree ends: in a forest (svmtk), each tree is a sequence of its own. In a dependency tree every
// token is a state, and options choose the columns.
//
// A step of a code is (0, symbol). The symbol is in index.Features, and stands for a tag or a tag with a
// word.
//
// The paper has no decay for this kernel. Here the decay is λ for each state, like λ for each production in
// the paper's tree kernel, so that long runs have less weight.
//
// Where to start reading: this file has the options, and state.go has the states. Package projection has
// growth and the matcher.
package tag

import (
	"fmt"
	"strings"

	"fstore/index"
	"fstore/index/internal/option"
)

// Space is the tag space with its options.
type Space struct {
	xpos  bool // the tags of dependency trees are XPOS, not UPOS
	lemma bool // their words are lemmas, not forms
}

// New makes a space from its options. valuesOf(name) returns the values of an option:
//
//	tag=upos|xpos     the tags of dependency trees; default upos
//	word=form|lemma   their words; default form
func New(valuesOf func(name string) []string) (s Space, err error) {
	if s.xpos, err = second(valuesOf, "tag", index.UPOS, index.XPOS); err != nil {
		return s, err
	}
	s.lemma, err = second(valuesOf, "word", index.Form, index.Lemma)
	return s, err
}

// second says whether an option names column `b`. A missing option names column `a`.
func second(values option.Values, name string, a, b index.Column) (bool, error) {
	text, ok, err := values.One(name)
	switch {
	case err != nil:
		return false, err
	case !ok || text == a.String():
		return false, nil
	case text == b.String():
		return true, nil
	default:
		return false, fmt.Errorf("option %s=%s: %s or %s", name, text, a, b)
	}
}

// Reads says whether the space reads samples of this kind. With options, it reads dependency trees only.
func (s Space) Reads(k index.Kind) bool { return k == index.Dependency || s == Space{} }

// ID implements index.Space.
func (s Space) ID() string {
	var all []string
	if s.xpos {
		all = append(all, "tag=xpos")
	}
	if s.lemma {
		all = append(all, "word=lemma")
	}
	if len(all) == 0 {
		return "tag"
	}
	return "tag:" + strings.Join(all, ",")
}

// Parts appends c without its first state, and c without its last state.
func (Space) Parts(dst []index.Code, c index.Code, _ *index.Symbols) []index.Code {
	steps, _ := c.Steps(nil)
	if len(steps) < 2 {
		return dst
	}
	first := len(dst)
	dst = index.AppendPart(dst, first, index.EncodeSteps(nil, steps[:len(steps)-1]))
	return index.AppendPart(dst, first, index.EncodeSteps(nil, steps[1:]))
}

// Options describes the options that New reads.
var Options = []option.Doc{
	{Name: "tag", Values: []string{index.UPOS.String(), index.XPOS.String()}, Default: index.UPOS.String(), Help: "the tags of dependency trees"},
	{Name: "word", Values: []string{index.Form.String(), index.Lemma.String()}, Default: index.Form.String(), Help: "their words"},
}

// Headless implements index.Headless.
func (Space) Headless() {}

// Columns implements index.ColumnReading.
func (s Space) Columns() []string {
	tag, word := index.UPOS, index.Form
	if s.xpos {
		tag = index.XPOS
	}
	if s.lemma {
		word = index.Lemma
	}
	return []string{tag.String(), word.String()}
}
