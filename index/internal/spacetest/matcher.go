package spacetest

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fstore/index"
	"fstore/index/brute"
	"fstore/index/expansion"
)

// Matcher compares the hits with brute force, for several sets of stored fragments.
func (c *Case) Matcher(t *testing.T) {
	all, _ := c.grow(t, everything, index.Weights{}, index.Limits{}, false)
	r := rand.New(rand.NewPCG(5, uint64(len(all.codes))))
	sets := [][]index.Code{slices.Clone(all.codes)}
	for _, oneIn := range []int{2, 5, 20} {
		var some []index.Code
		for _, code := range all.codes {
			if r.IntN(oneIn) == 0 {
				some = append(some, code)
			}
		}
		sets = append(sets, some)
	}
	for _, lambda := range []float64{1, 0.4} {
		for _, codes := range sets {
			x := Index(t, codes)
			m := c.Space.NewMatcher(x, c.Symbols, lambda)
			for i, tree := range c.Trees {
				hits, err := m.Match(tree, 0)
				if err != nil {
					t.Fatal(err)
				}
				c.checkHits(t, i, codes, hits, c.Brute(tree, lambda), lambda)
			}
		}
	}
	c.checkMatcherAllocates(t, all.codes)
	c.checkBudget(t, all.codes)
}

// newSamples compares the matcher with brute force on new samples, and removes the new symbols of each
// sample.
func (c *Case) newSamples(t *testing.T) {
	all, _ := c.grow(t, everything, index.Weights{}, index.Limits{}, false)
	m := c.Space.NewMatcher(Index(t, all.codes), c.Symbols, 1)
	reader := c.Symbols.Overlay()
	for i := range 10 {
		reader.Rollback()
		tree := c.New(reader)
		hits, err := m.Match(tree, 0)
		if err != nil {
			t.Fatal(err)
		}
		c.checkHits(t, i, all.codes, hits, c.Brute(tree, 1), 1)
	}
}

// Damaged checks that matching ends even if the records of the index point anywhere.
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

func (c *Case) checkHits(t *testing.T, sample int, codes []index.Code, hits []index.Hit, want map[string]*brute.Match, lambda float64) {
	t.Helper()
	last := uint32(0)
	for _, h := range hits {
		code := codes[h.ID-1]
		text := string(c.Space.AppendText(nil, code, c.Symbols))
		w := want[text]
		if w == nil || h.ID <= last || h.Match.Count != w.Count || int(h.Order) != w.Order ||
			!near(index.Value(c.Space, w.Order, h.Match, lambda), w.Value) {
			t.Fatalf("sample %d, λ %v, %s: %+v after %d, want %+v", sample, lambda, text, h, last, w)
		}
		last = h.ID
		delete(want, text)
	}
	for _, code := range codes {
		if text := string(c.Space.AppendText(nil, code, c.Symbols)); want[text] != nil {
			t.Fatalf("sample %d: %s is missing", sample, text)
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(b)) }

func (c *Case) checkMatcherAllocates(t *testing.T, codes []index.Code) {
	m := c.Space.NewMatcher(Index(t, codes), c.Symbols, 0.4)
	run := func() {
		for _, tree := range c.Trees {
			if _, err := m.Match(tree, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	run()
	if n := testing.AllocsPerRun(2, run); n != 0 && !race {
		t.Errorf("a warm matcher allocates %v times", n)
	}
}

// checkBudget checks that matching fails if the budget is too small, and only then.
func (c *Case) checkBudget(t *testing.T, codes []index.Code) {
	m := c.Space.NewMatcher(Index(t, codes), c.Symbols, 1)
	for _, tree := range c.Trees {
		if len(c.Brute(tree, 1)) < 2 {
			continue
		}
		if _, err := m.Match(tree, 1); err != index.BudgetError(1) {
			t.Errorf("a budget of 1: %v", err)
		}
		if _, err := m.Match(tree, 1<<20); err != nil {
			t.Error(err)
		}
	}
}
