// Package seq is the space of gapped sequences (Suzuki & Isozaki 2005; index/README.md, "seq, emb"):
// subsequences of the words of a sample, or of their lemmas or tags, with other words in the gaps.
//
// A match has the value λ^g, where g is the number of words skipped between its first and its last symbol.
// The value of a fragment in a sample is the sum over its matches, so that the kernel is the paper's
// recursion (5)–(7).
//
// A code is the list of symbols, each packed as an index.Child: words in dependency trees, and labels or
// words in constituency trees. The Off of a step is 0.
//
// Where to start reading: this file has the options, items.go the symbols of a sample, grow.go growth
// (PrefixSpan), and match.go growth along the stored codes.
package seq

import (
	"fmt"
	"math"
	"strings"

	"fstore/index"
	"fstore/index/internal/option"
)

// Space is the seq space with its options.
type Space struct {
	unit      index.Column
	maxLength int // 0 is any
	maxGap    int // noMaxGap is any
	id        string
}

const noMaxGap = math.MaxInt32

// New makes a space from its options. valuesOf(name) returns the values of an option:
//
//	unit=form|lemma|upos|xpos  default form. In constituency trees, upos and xpos are
//	                           the label of the word's parent; there is no lemma
//	max-length=N               symbols of a fragment; default 0: no limit. Growth is also
//	                           limited by the maximum order, the kernel is not
//	max-gap=N                  words skipped between two neighbours; default: no limit
func New(valuesOf func(name string) []string) (*Space, error) {
	v := option.Values(valuesOf)
	s := &Space{}
	var err error
	if s.unit, err = v.Unit(); err != nil {
		return nil, err
	}
	if s.maxLength, err = v.Count("max-length", 0); err != nil {
		return nil, err
	}
	if s.maxGap, err = v.Count("max-gap", noMaxGap); err != nil {
		return nil, err
	}
	s.id = s.makeID()
	return s, nil
}

// makeID returns the ID, with the options that differ from the defaults.
func (s *Space) makeID() string {
	var all []string
	if s.maxGap != noMaxGap {
		all = append(all, fmt.Sprintf("max-gap=%d", s.maxGap))
	}
	if s.maxLength > 0 {
		all = append(all, fmt.Sprintf("max-length=%d", s.maxLength))
	}
	if s.unit != index.Form {
		all = append(all, "unit="+s.unit.String())
	}
	if len(all) == 0 {
		return "seq"
	}
	return "seq:" + strings.Join(all, ",")
}

// ID implements index.Space.
func (s *Space) ID() string { return s.id }

// Reads says whether the space reads samples of this kind. Only dependency trees have lemmas.
func (s *Space) Reads(k index.Kind) bool { return k == index.Dependency || s.unit != index.Lemma }

// Weight implements index.Decaying. A match without gaps has the value 1.
func (*Space) Weight(index.Code, *index.Symbols, float64) float64 { return 1 }

// limit returns the smaller of maxOrder and s.maxLength; 0 means any order.
func (s *Space) limit(maxOrder int) int {
	if maxOrder == 0 || s.maxLength > 0 && s.maxLength < maxOrder {
		return s.maxLength
	}
	return maxOrder
}

// Parts implements index.Space. It appends the fragments that are c without one symbol. If gaps are limited,
// this is the first or the last symbol.
func (s *Space) Parts(dst []index.Code, c index.Code, _ *index.Symbols) []index.Code {
	steps, ok := c.Steps(nil)
	if !ok || len(steps) < 2 {
		return dst
	}
	first := len(dst)
	for i := range steps {
		if s.maxGap != noMaxGap && i > 0 && i < len(steps)-1 {
			continue
		}
		part := index.EncodeSteps(index.EncodeSteps(nil, steps[:i]), steps[i+1:])
		dst = index.AppendPart(dst, first, part)
	}
	return dst
}

// Check implements index.Space.
func (s *Space) Check(c index.Code, syms *index.Symbols) error {
	steps, ok := c.Steps(nil)
	if !ok || len(steps) == 0 {
		return fmt.Errorf("code %x: no sequence of symbols", []byte(c))
	}
	if s.maxLength > 0 && len(steps) > s.maxLength {
		return fmt.Errorf("code %x: more than %d symbols", []byte(c), s.maxLength)
	}
	for _, st := range steps {
		sym := index.UnpackChild(st.Sym)
		if st.Off != 0 || sym.Word != index.UnpackChild(steps[0].Sym).Word {
			return fmt.Errorf("code %x: symbols of no class, or of two", []byte(c))
		}
		if !syms.Has(sym) {
			return fmt.Errorf("code %x: no %s %d", []byte(c), sym.Class(), sym.Sym)
		}
	}
	return nil
}

// Options describes the options that New reads.
var Options = []option.Doc{
	{Name: "unit", Values: option.Units, Default: index.Form.String(), Help: "what stands for a word; upos and xpos of constituency trees are its parent's label"},
	{Name: "max-length", Values: []string{"N"}, Default: "0", Help: "symbols of a fragment; 0 is any, and --max-order counts too"},
	{Name: "max-gap", Values: []string{"N"}, Help: "words skipped between two neighbours; any unless given"},
}

// Headless implements index.Headless.
func (*Space) Headless() {}

// Columns implements index.ColumnReading.
func (s *Space) Columns() []string { return []string{s.unit.String()} }
