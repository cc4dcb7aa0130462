package spacetest

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"fstore/index"
)

// Code tests a code that may be malformed, and says whether it passes Check. If it does, its text must read
// back as the same code, and its parts must pass too.
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
		if err := c.Space.Check(p, c.Symbols); err != nil || p.Len() != code.Len()-1 {
			t.Fatalf("%x is no part of %s: %v", []byte(p), text, err)
		}
	}
	for _, tree := range c.Trees {
		c.Space.Locate(tree, code, c.Symbols)
	}
	return true
}

// HostileCodes calls Code with n random codes, and returns how many passed Check. Some codes have symbols
// with the given keys, which the space itself never makes.
func (c *Case) HostileCodes(t *testing.T, r *rand.Rand, n int, keys ...string) (good int) {
	t.Helper()
	for _, key := range keys {
		c.Symbols.Intern(index.Features, []byte(key))
	}
	for range n {
		if c.Code(t, hostileCode(r, c.Symbols)) {
			good++
		}
	}
	return good
}

// hostileCode returns random bytes that are nearly a code with symbols of index.Features.
func hostileCode(r *rand.Rand, s *index.Symbols) (c index.Code) {
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

// Text reads a text. If it is a fragment, its code must pass the checks of Code.
func (c *Case) Text(t testing.TB, text string) {
	t.Helper()
	code, err := c.Space.ParseText(text, c.Symbols)
	if err == nil && !c.Code(t, code) {
		t.Fatalf("%q is %x: %v", text, []byte(code), c.Space.Check(code, c.Symbols))
	}
}
