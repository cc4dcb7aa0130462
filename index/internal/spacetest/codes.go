package spacetest

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"fstore/index"
	"fstore/index/brute"
)

// Codes checks the text, the order, the parts and the located matches of every fragment.
func (c *Case) Codes(t *testing.T) {
	table := c.table()
	all, _ := c.grow(t, everything, index.Weights{}, index.Limits{}, false)
	ReadCodes(t, c.Space, c.Symbols, all.codes)
	matches := make([]map[string]*brute.Match, len(c.Trees))
	for i, tree := range c.Trees {
		matches[i] = c.Brute(tree, 1)
	}
	for _, code := range all.codes {
		text := string(c.Space.AppendText(nil, code, c.Symbols))
		if back, err := c.Space.ParseText(text, c.Symbols); err != nil || !bytes.Equal(back, code) {
			t.Fatalf("%s reads back as %x, %v, and was %x", text, []byte(back), err, []byte(code))
		}
		if err := c.Space.Check(code, c.Symbols); err != nil {
			t.Fatal(err)
		}
		if o := code.Len(); o != table[text].Order {
			t.Fatalf("%s: order %d", text, o)
		}
		seen := map[string]bool{}
		for _, p := range c.Space.Parts(nil, code, c.Symbols) {
			part := string(c.Space.AppendText(nil, p, c.Symbols))
			x, ok := table[part]
			if !ok || seen[part] || x.Order != code.Len()-1 || c.Space.Check(p, c.Symbols) != nil {
				t.Fatalf("%s is no part of %s, or twice", part, text)
			}
			seen[part] = true
			for _, id := range table[text].Samples {
				if !slices.Contains(x.Samples, id) {
					t.Fatalf("%s, a part of %s, is not in sample %d", part, text, id)
				}
			}
		}
		for i, tree := range c.Trees {
			var got, want []string
			for _, o := range c.Space.Locate(tree, code, c.Symbols) {
				if !slices.IsSorted(o) {
					t.Fatalf("%s is located at %v", text, o)
				}
				got = append(got, brute.Place(o))
			}
			if m := matches[i][text]; m != nil {
				want = slices.Clone(m.Where)
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("%s in sample %d is located at %v, and is at %v", text, i, got, want)
			}
		}
	}
}

// ReadCodes checks that a code reader returns what the space returns. It reads the codes in order, then in
// random order with damaged codes in between.
func ReadCodes(t *testing.T, space index.Space, s *index.Symbols, codes []index.Code) {
	reader := index.NewCodeReader(space, s)
	read := func(code index.Code) {
		err, want := reader.Read(code), space.Check(code, s)
		switch {
		case !bytes.Equal(reader.Code(), code):
			t.Fatalf("%x was read, and it is %x", []byte(code), []byte(reader.Code()))
		case want != nil && (err == nil || err.Error() != want.Error()), want == nil && err != nil:
			t.Fatalf("%x: %v, want %v", []byte(code), err, want)
		case want != nil:
			return
		}
		if got, want := string(reader.AppendText(nil)), string(space.AppendText(nil, code, s)); got != want {
			t.Fatalf("%x is %s, want %s", []byte(code), got, want)
		}
		if got, want := reader.Order(), code.Len(); got != want {
			t.Fatalf("%x has order %d, want %d", []byte(code), got, want)
		}
	}
	for _, code := range codes {
		read(code)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range codes {
		read(codes[r.IntN(len(codes))])
		bad := bytes.Clone(codes[r.IntN(len(codes))])
		bad[r.IntN(len(bad))] += byte(1 + r.IntN(3))
		read(bad[:r.IntN(len(bad)+1)])
		read(bad)
	}
}
