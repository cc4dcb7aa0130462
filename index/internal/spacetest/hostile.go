package spacetest

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"fstore/index"
	"fstore/index/expansion"
)

// Code wants of a code that passes Check that it prints and reads back, and that its
// parts pass; of others, that nothing panics. It says whether the code passed.
func (c *Case) Code(t testing.TB, code index.Code) bool {
	t.Helper()
	if c.Space.Check(code, c.Symbols) != nil {
		return false
	}
	text := string(c.Space.AppendText(nil, code, c.Symbols))
	back, err := c.Space.ParseText(text, c.Symbols)
	if err != nil || !bytes.Equal(back, code) {
		t.Fatalf("%s reads back as %x, %v, and was %x", text, []byte(back), err, []byte(code))
	}
	for _, p := range c.Space.Parts(nil, code, c.Symbols) {
		if err := c.Space.Check(p, c.Symbols); err != nil {
			t.Fatalf("a part of %s: %v", text, err)
		}
	}
	for _, tree := range c.Trees {
		c.Space.Locate(tree, code, c.Symbols)
	}
	return true
}

// HostileCode is steps of any kind, most of them nearly a code of symbols of
// index.Features.
func HostileCode(r *rand.Rand, s *index.Symbols) (c index.Code) {
	for range r.IntN(5) {
		st := index.Step{Sym: r.Uint32N(uint32(s.Len(index.Features)) + 2)}
		if r.IntN(16) == 0 {
			st.Off = 1
		}
		c = index.AppendStep(c, st)
	}
	if len(c) > 0 && r.IntN(8) == 0 {
		c[r.IntN(len(c))] = byte(r.Uint32())
	}
	return c
}

// Fresh compares the matcher with brute force over samples that make reads into symbols
// which are those of the store, and what is new in the sample: that is forgotten before
// the next.
func (c *Case) Fresh(t *testing.T, make func(*index.Symbols) *index.Tree) {
	t.Helper()
	all, _ := c.grow(t, everything, index.Weights{}, index.Limits{}, false)
	m := c.Space.NewMatcher(Index(t, all.codes), c.Symbols, 1)
	reader := c.Symbols.Clone()
	reader.Freeze()
	for i := range 10 {
		reader.Rollback()
		tree := make(reader)
		hits, err := m.Match(tree, 0)
		if err != nil {
			t.Fatal(err)
		}
		c.checkHits(t, i, all.codes, hits, c.Brute(tree, 1), 1)
	}
}

// Damaged wants matching along an index whose records point anywhere to end.
func (c *Case) Damaged(t *testing.T) {
	t.Helper()
	all, _ := c.grow(t, everything, index.Weights{}, index.Limits{}, false)
	raw := bytes.Clone(Index(t, all.codes).Raw())
	for i := range raw {
		flip := []byte{1, 0x80, 0xFF}[i%3]
		raw[i] ^= flip
		if x, err := expansion.Parse(bytes.Clone(raw)); err == nil {
			m := c.Space.NewMatcher(x, c.Symbols, 1)
			for _, tree := range c.Trees {
				_, _ = m.Match(tree, 1000)
			}
		}
		raw[i] ^= flip
	}
}

// Text wants of a text that reads as a fragment that its code passes Check, and prints as
// a text of the same code.
func (c *Case) Text(t testing.TB, text string) {
	t.Helper()
	code, err := c.Space.ParseText(text, c.Symbols)
	if err != nil {
		return
	}
	if err := c.Space.Check(code, c.Symbols); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	back, err := c.Space.ParseText(string(c.Space.AppendText(nil, code, c.Symbols)), c.Symbols)
	if err != nil || !bytes.Equal(back, code) {
		t.Fatalf("%q is %x, then %x, %v", text, []byte(code), []byte(back), err)
	}
}

// Everything is a visitor that wants all to be grown.
type Everything struct{}

// Visit implements index.Visitor.
func (Everything) Visit(b *index.Batch) error {
	for i := range b.Descend {
		b.Descend[i] = true
	}
	return nil
}

// Limited is a visitor with a budget, as builds have.
type Limited struct {
	Left  int
	Codes []index.Code // what was visited
}

// ErrLimit is the end of the budget.
var ErrLimit = errors.New("limit")

// Visit implements index.Visitor.
func (l *Limited) Visit(b *index.Batch) error {
	if l.Left -= b.Len(); l.Left < 0 {
		return ErrLimit
	}
	for i := range b.Len() {
		b.Descend[i] = true
		l.Codes = append(l.Codes, append(bytes.Clone(b.Parent), b.SuffixOf(i)...))
	}
	return nil
}
