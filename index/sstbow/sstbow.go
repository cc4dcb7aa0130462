// Package sstbow is the space of subset trees and bare words (SVM-Light-TK's SST-bow, KeLP's sstk;
// index/README.md, "stk"). It has the fragments of stk, and one fragment of order 1 for each word. A word
// that occurs t times in a sample has the value t·λ^(1/2). As in stk, the words in a larger fragment do not
// change its value.
//
// A word's code is one step, with Off offWord or offLabel. The first step of a tree has Off 0.
package sstbow

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/index/internal/growth"
	"fstore/index/stk"
)

// These are the values of Off in the step of a bare word.
const (
	offWord  = 1 // Sym is in Words
	offLabel = 2 // Sym is in Labels: a node without children in a tree with one alphabet
)

// Space is the sstbow space.
type Space struct{ stk.Space }

// ID returns "sstbow".
func (Space) ID() string { return "sstbow" }

// stepOf returns the step of node i of t if the node is a word.
func stepOf(t *index.Tree, i int) (index.Step, bool) {
	switch n := &t.Nodes[i]; {
	case n.Word:
		return index.Step{Off: offWord, Sym: n.Sym}, true
	case t.OneAlphabet && n.Size == 1:
		return index.Step{Off: offLabel, Sym: n.Sym}, true
	}
	return index.Step{}, false
}

// Tally counts productions and words.
func (s Space) Tally(t *index.Tree, syms *index.Symbols, sample uint32, tally *index.Tally) {
	s.Space.Tally(t, syms, sample, tally)
	for i := range t.Nodes {
		if st, ok := stepOf(t, i); ok {
			tally.Add(st, sample)
		}
	}
}

// Expansions implements index.Expanded. It returns nil, because growth also needs the words.
func (Space) Expansions() func(index.Items, uint32, []index.Expansion, index.Range, index.Limits) {
	return nil
}

// Items are the items of the space `stk`, and the words.
type Items struct {
	stk.Items
	words []occurrence // sorted after Seal
}

type occurrence struct {
	step   uint64
	sample uint32
}

// NewItems implements index.Space.
func (Space) NewItems(s *index.Symbols) index.Items {
	return &Items{Items: stk.Items{Symbols: s}}
}

// Add implements index.Items.
func (it *Items) Add(sample uint32, t *index.Tree, r index.Range, l index.Limits) {
	it.Items.Add(sample, t, r, l)
	for i := range t.Nodes {
		if st, ok := stepOf(t, i); ok && r.Contains(st.Packed()) {
			it.words = append(it.words, occurrence{st.Packed(), sample})
		}
	}
}

// Seal implements index.Items.
func (it *Items) Seal() {
	it.Items.Seal()
	slices.SortFunc(it.words, func(a, b occurrence) int {
		return cmp.Or(cmp.Compare(a.step, b.step), cmp.Compare(a.sample, b.sample))
	})
}

// Bytes implements index.Items.
func (it *Items) Bytes() int64 { return it.Items.Bytes() + 16*int64(cap(it.words)) }

// Reset implements index.Items.
func (it *Items) Reset() {
	it.Items.Reset()
	it.words = it.words[:0]
}

// Grow implements index.Items. Trees come before words in code order.
func (it *Items) Grow(r index.Range, w index.Weights, l index.Limits, v index.Visitor) (index.Counts, error) {
	counts, err := it.Items.Grow(r, w, l, v)
	if err != nil {
		return counts, err
	}
	l.MinSupport = max(l.MinSupport, 1)
	b, out := index.Batch{Order: 1}, growth.Batches{Visitor: v}
	from, _ := slices.BinarySearchFunc(it.words, r.Lo, byStep)
	for from < len(it.words) && it.words[from].step < r.Hi {
		step := it.words[from].step
		to := from
		support, first := uint32(0), len(out.Samples)
		for ; to < len(it.words) && it.words[to].step == step; to++ {
			s := it.words[to].sample
			if to == from || s != it.words[to-1].sample {
				support++
			}
			out.Samples = append(out.Samples, s)
		}
		below := uint64(0)
		if support < l.MinSupport {
			below = 1
			out.Samples = out.Samples[:first]
		} else {
			out.Step(&b, index.Unpack(step))
			out.Occurrences(&b, first, support, w, l)
			b.Closed = append(b.Closed, true)
		}
		counts.Count(1, 1, below)
		from = to
	}
	return counts, out.Visit(&b)
}

func byStep(o occurrence, step uint64) int { return cmp.Compare(o.step, step) }

// word returns the only step of c, if c is a bare word.
func word(c index.Code) (index.Step, bool) {
	st, _, ok := c.Next()
	return st, ok && st.Off != 0
}

// classOf returns the class of the symbol in a word's step.
func classOf(st index.Step) index.Class {
	if st.Off == offLabel {
		return index.Labels
	}
	return index.Words
}

// Parts implements index.Space. A word has no parts.
func (s Space) Parts(dst []index.Code, c index.Code, syms *index.Symbols) []index.Code {
	if _, ok := word(c); ok {
		return dst
	}
	return s.Space.Parts(dst, c, syms)
}

// AppendText appends a word without brackets, or as `(w)` if there is one alphabet.
func (s Space) AppendText(dst []byte, c index.Code, syms *index.Symbols) []byte {
	switch st, ok := word(c); {
	case !ok:
		return s.Space.AppendText(dst, c, syms)
	case st.Off == offWord:
		return index.AppendEscaped(dst, syms.Bytes(index.Words, st.Sym))
	default:
		dst = index.AppendEscaped(append(dst, '('), syms.Bytes(index.Labels, st.Sym))
		return append(dst, ')')
	}
}

// ParseText implements index.Space. A text without brackets is a word. If words and labels are one alphabet,
// `(w)` is a word too.
func (s Space) ParseText(text string, syms *index.Symbols) (index.Code, error) {
	name, st, isTree := bare(text, syms)
	if isTree {
		c, err := s.Space.ParseText(text, syms)
		return c, wordsAreBare(err)
	}
	b, err := index.AppendUnescaped(nil, []byte(name))
	if err != nil {
		return nil, err
	}
	if st.Sym = syms.Lookup(classOf(st), b); st.Sym == 0 {
		return nil, index.ErrAbsent
	}
	return index.AppendStep(nil, st), nil
}

// bare returns the escaped word of a text, and a step that lacks only the symbol of the word. If `isTree` is
// true, the text is no bare word.
func bare(text string, syms *index.Symbols) (name string, st index.Step, isTree bool) {
	name = strings.TrimSpace(text)
	st.Off = offWord
	if syms.Len(index.Words) == 0 { // one alphabet
		st.Off = offLabel
		if strings.HasPrefix(name, "(") && strings.HasSuffix(name, ")") {
			name = strings.TrimSpace(name[1 : len(name)-1])
		}
	}
	return name, st, name == "" || index.IndexUnescaped(name, "() \t\r\n") < len(name)
}

// wordsAreBare adds to stk.ErrNoFragment that a word stands without brackets.
func wordsAreBare(err error) error {
	if errors.Is(err, stk.ErrNoFragment) {
		return fmt.Errorf("%w; a word stands without brackets", err)
	}
	return err
}

// Check implements index.Space.
func (s Space) Check(c index.Code, syms *index.Symbols) error {
	st, ok := word(c)
	if !ok {
		return s.Space.Check(c, syms)
	}
	if _, rest, _ := c.Next(); st.Off > offLabel || len(rest) > 0 || st.Sym == 0 || int(st.Sym) > syms.Len(classOf(st)) {
		return fmt.Errorf("code %x: no word", []byte(c))
	}
	return nil
}

// Implied implements index.Implying. The field Same is false: with one alphabet, a word is a childless node,
// which patterns cannot express.
func (Space) Implied() (index.Implied, bool) { return index.Implied{Complete: true}, true }

// Covers implements index.Covering. A word covers only itself.
func (s Space) Covers(big, small index.Code, syms *index.Symbols) bool {
	_, a := word(big)
	_, b := word(small)
	if a || b {
		return string(big) == string(small)
	}
	return s.Space.Covers(big, small, syms)
}

// Locate implements index.Space.
func (s Space) Locate(t *index.Tree, c index.Code, syms *index.Symbols) []index.Occurrence {
	st, ok := word(c)
	if !ok {
		return s.Space.Locate(t, c, syms)
	}
	var found []index.Occurrence
	for i := range t.Nodes {
		if w, ok := stepOf(t, i); ok && w == st {
			found = append(found, index.Occurrence{int32(i)})
		}
	}
	return found
}

// kernel is the kernel of stk, plus λ for each pair of equal words.
type kernel struct{ stk.DeltaKernel }

type prepared struct {
	*stk.Prepared
	words []wordCount // ascending
}

type wordCount struct {
	step uint64
	n    float64
}

// NewKernel implements index.Space.
func (Space) NewKernel(_ *index.Symbols, lambda float64) index.Kernel {
	return &kernel{stk.DeltaKernel{Lambda: lambda}}
}

// Prepare implements index.Kernel.
func (*kernel) Prepare(t *index.Tree) (any, error) {
	p := &prepared{Prepared: stk.Prepare(t)}
	var steps []uint64
	for i := range t.Nodes {
		if st, ok := stepOf(t, i); ok {
			steps = append(steps, st.Packed())
		}
	}
	slices.Sort(steps)
	for i, s := range steps {
		if i == 0 || s != steps[i-1] {
			p.words = append(p.words, wordCount{step: s})
		}
		p.words[len(p.words)-1].n++
	}
	return p, nil
}

// Eval implements index.Kernel.
func (k *kernel) Eval(x, y any) index.Number {
	a, b := x.(*prepared), y.(*prepared)
	words := 0.0
	byStep := func(x, y wordCount) int { return cmp.Compare(x.step, y.step) }
	index.Shared(a.words, b.words, byStep, func(i, j int) { words += float64(a.words[i].n * b.words[j].n) })
	return k.Sum(a.Prepared, b.Prepared).Add(index.NumberOf(k.Lambda * words))
}

// SelfSteps implements index.Quadratic.
func (k *kernel) SelfSteps(a any) int64 { return a.(*prepared).SelfSteps() }

// matcher is the matcher of stk with one addition: it also looks up each word.
type matcher struct {
	*stk.Matcher
	x *expansion.Index
}

// NewMatcher implements index.Space.
func (Space) NewMatcher(x index.Automaton, _ *index.Symbols, _ float64) index.Matcher {
	return &matcher{stk.NewMatcher(x), x.(*expansion.Index)}
}

// Match implements index.Matcher.
func (m *matcher) Match(t *index.Tree, budget int64) ([]index.Hit, error) {
	m.Begin(budget)
	m.Load(t)
	m.WalkAll()
	first := m.Hits.Len()
	root := m.x.Root()
	for i := range t.Nodes {
		st, ok := stepOf(t, i)
		if !ok {
			continue
		}
		if r, ok := m.x.Find(&root, uint8(st.Off), st.Sym); ok && r.Out != 0 {
			m.Hits.Add(r.Out, 1)
		}
	}
	m.Hits.Sort(first)
	return m.End()
}

// codeReader reads trees as stk does, and also words.
type codeReader struct {
	index.CodeReader // the reader of the last code: one of these
	trees, words     index.CodeReader
}

// NewCodeReader implements index.Readable.
func (s Space) NewCodeReader(syms *index.Symbols) index.CodeReader {
	trees := s.Space.NewCodeReader(syms)
	return &codeReader{trees, trees, index.NewWholeCodeReader(s, syms)}
}

// Read implements index.CodeReader.
func (r *codeReader) Read(c index.Code) error {
	r.CodeReader = r.trees
	if _, ok := word(c); ok {
		r.CodeReader = r.words
	}
	return r.CodeReader.Read(c)
}
